import { defineEntity, p } from '@mikro-orm/core';
import { textArray } from '../../kernel/schema/text-array.js';
import { between, createdAt, key, references, timestamp, uniqueIndex, updatedAt } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import { PRIORITY } from '../../library/countermeasure/countermeasure.rules.js';

/**
 * A countermeasure that a project has or has had: it is kept if someone has worked on it, even when it is no longer
 * relevant.
 *
 * The columns that reports count by come first: PostgreSQL reads all columns of a row up to the last one it needs, and
 * those of fixed length that are not null fastest.
 */
export const ProjectCountermeasure = defineEntity({
  name: 'ProjectCountermeasure',
  tableName: 'project_countermeasure',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    projectId: references('project', { onDelete: 'cascade' }),
    statusId: references('task_status').default(2),
    relevant: p.boolean().default(true),
    relevantViaSurvey: p.boolean().default(false),
    accepted: p.boolean().default(true),
    manuallyAdded: p.boolean().default(false),
    countermeasureId: references('countermeasure', { onDelete: 'cascade' }).nullable(),
    /** For a project-specific countermeasure: its number and its content. Null if it is from the library. */
    number: p.integer().nullable(),
    phaseId: references('phase').nullable(),
    priority: p.integer().check(between('priority', PRIORITY)).nullable(),
    title: p.text().nullable(),
    text: p.text().nullable(),
    verificationStatus: p.enum(['none', 'pass', 'partial', 'fail'] as const).default('none'),
    /** Null if the tags of the library apply. */
    tags: textArray().nullable(),
    artifactProxy: p.text().default(''),
    becameRelevantAt: timestamp().nullable(),
    statusUpdatedAt: timestamp().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    updatedBy: references('user_account').nullable(),
  },
  indexes: [
    uniqueIndex('project_countermeasure_item', 'project_countermeasure (project_id, countermeasure_id)'),
    { name: 'project_countermeasure_library', properties: ['countermeasureId'] },
    {
      name: 'project_countermeasure_library_states',
      properties: ['organizationId', 'countermeasureId', 'statusId', 'accepted'],
    },
    uniqueIndex(
      'project_countermeasure_number',
      'project_countermeasure (project_id, number) WHERE number IS NOT NULL',
    ),
    {
      name: 'project_countermeasure_open',
      properties: ['organizationId', 'countermeasureId', 'projectId'],
      where: 'accepted AND status_id <> 1',
    },
    { name: 'project_countermeasure_phase', properties: ['phaseId'], where: 'phase_id IS NOT NULL' },
    { name: 'project_countermeasure_states', properties: ['organizationId', 'projectId', 'statusId', 'accepted'] },
  ],
  checks: [
    {
      name: 'project_countermeasure_of',
      expression: `CASE WHEN countermeasure_id IS NULL
        THEN num_nulls(number, title, text, phase_id, priority) = 0
        ELSE num_nonnulls(number, title, text, phase_id, priority) = 0 END`,
    },
  ],
});
