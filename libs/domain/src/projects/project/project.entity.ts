import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { textArray } from '../../kernel/text-array.js';

/** One piece of work on an application. What it holds of the library stands in tables of its own. */
export const Project = defineEntity({
  name: 'Project',
  tableName: 'project',
  properties: {
    id: p.bigint('number').primary(),
    organizationId: p.bigint('number'),
    applicationId: p.bigint('number'),
    name: p.text(),
    slug: p.text(),
    description: p.text(),
    tags: textArray(),
    customAttributes: p.json<object>(),
    profileId: p.bigint('number').nullable(),
    riskPolicyId: p.bigint('number').nullable(),
    parentId: p.bigint('number').nullable(),
    baseProjectId: p.bigint('number').nullable(),
    creatorId: p.bigint('number').nullable(),
    archived: p.boolean(),
    locked: p.boolean(),
    contentRefreshLocked: p.boolean(),
    updatedAt: p.datetime().defaultRaw('statement_timestamp()').lazy(),
  },
});

export type Project = InferEntity<typeof Project>;
