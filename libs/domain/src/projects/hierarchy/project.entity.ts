import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import {
  between,
  createdAt,
  key,
  numberList,
  references,
  textList,
  timestamp,
  uniqueIndex,
  updatedAt,
} from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import { LEVEL } from '../../library/countermeasure/countermeasure.rules.js';
import { searchDocument, searchIndex } from '../../kernel/schema/search-document.js';

/** A project: one piece of work on an application. Its content from the library is in separate tables. */
export const Project = defineEntity({
  name: 'Project',
  tableName: 'project',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    applicationId: references('application'),
    externalId: p.text().unique().defaultRaw("'project-' || gen_random_uuid()::text"),
    name: p.text(),
    slug: p.text(),
    description: p.text().default(''),
    tags: textList(),
    customAttributes: p.json<object>().defaultRaw("'{}'"),
    profileId: references('profile').nullable(),
    riskPolicyId: references('risk_policy').nullable(),
    /** Null if it is unknown, which it is until the survey is complete. */
    riskPolicyCompliant: p.boolean().nullable(),
    parentId: references('project', { onDelete: 'set null' }).nullable(),
    baseProjectId: references('project', { onDelete: 'set null' }).nullable(),
    creatorId: references('user_account').nullable(),
    archived: p.boolean().default(false),
    locked: p.boolean().default(false),
    contentRefreshLocked: p.boolean().default(false),
    surveyComplete: p.boolean().default(false),
    /** Whether the draft of the survey differs from the saved answers. */
    surveyDirty: p.boolean().default(false),
    /** The questions that its saved survey, and the draft, answer with "None of these". */
    noneQuestions: numberList(),
    draftNoneQuestions: numberList(),
    /** Its assurance level: countermeasures of higher levels do not apply. */
    level: p.integer().check(between('level', LEVEL)).default(LEVEL.maximum),
    /** What its exposure and its data add to the importance of its countermeasures. */
    stakes: p.integer().default(0),
    /** When its content became outdated by a change of the library or the project; null if it is current. */
    refreshDueAt: timestamp().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** The profile that was selected in the draft of the survey, until the draft is saved. */
    draftProfileId: references('profile', { onDelete: 'set null' }).nullable(),
    /** The number of the last project-specific countermeasure. Numbers are not reused, even after a deletion. */
    lastCountermeasureNumber: p.integer().default(0),
    document: searchDocument('project'),
  },
  indexes: [
    searchIndex('project'),
    { name: 'project_base', properties: ['baseProjectId'] },
    { name: 'project_creator', properties: ['creatorId'] },
    { name: 'project_draft_profile', properties: ['draftProfileId'] },
    { name: 'project_list', properties: ['organizationId', 'id'] },
    uniqueIndex('project_name', 'project (application_id, lower(name))'),
    { name: 'project_parent', properties: ['parentId'] },
    { name: 'project_profile', properties: ['profileId'] },
    { name: 'project_refresh_due', properties: ['refreshDueAt'], where: 'refresh_due_at IS NOT NULL' },
    { name: 'project_risk_policy', properties: ['riskPolicyId'] },
    uniqueIndex('project_slug', 'project (application_id, slug)'),
  ],
});

export type Project = InferEntity<typeof Project>;
