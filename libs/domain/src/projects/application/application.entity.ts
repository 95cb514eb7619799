import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { textArray } from '../../kernel/text-array.js';
import type { ApplicationPriority } from './application.rules.js';

/** Software that projects work on, of one business unit. */
export const Application = defineEntity({
  name: 'Application',
  tableName: 'application',
  properties: {
    id: p.bigint('number').primary(),
    organizationId: p.bigint('number'),
    businessUnitId: p.bigint('number'),
    name: p.text(),
    slug: p.text(),
    description: p.text(),
    priority: p.text().$type<ApplicationPriority>(),
    tags: textArray(),
    customAttributes: p.json<object>(),
    updatedAt: p.datetime().defaultRaw('statement_timestamp()').lazy(),
  },
});

export type Application = InferEntity<typeof Application>;
