import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, updatedAt } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/** A user to whom a project's countermeasure is assigned. */
export const ProjectCountermeasureAssignee = defineEntity({
  name: 'ProjectCountermeasureAssignee',
  tableName: 'project_countermeasure_assignee',
  ...rowsOf({ project_countermeasure_id: 'project_countermeasure' }),
  properties: {
    projectCountermeasureId: references('project_countermeasure', { onDelete: 'cascade' }).primary(),
    userId: references('user_account', { onDelete: 'cascade' }).primary(),
  },
  indexes: [{ name: 'project_countermeasure_assignee_user', properties: ['userId'] }],
});

/** A note on a project’s countermeasure. */
export const ProjectCountermeasureNote = defineEntity({
  name: 'ProjectCountermeasureNote',
  tableName: 'project_countermeasure_note',
  ...rowsOf({ project_countermeasure_id: 'project_countermeasure' }),
  properties: {
    id: key(),
    projectCountermeasureId: references('project_countermeasure', { onDelete: 'cascade' }),
    text: p.text(),
    automatic: p.boolean().default(false),
    authorId: references('user_account').nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    updatedBy: references('user_account').nullable(),
  },
  indexes: [{ name: 'project_countermeasure_note_of', properties: ['projectCountermeasureId', 'id'] }],
});

/** The result of an analysis of a project's countermeasure. */
export const ProjectCountermeasureAnalysis = defineEntity({
  name: 'ProjectCountermeasureAnalysis',
  tableName: 'project_countermeasure_analysis',
  ...rowsOf({ project_countermeasure_id: 'project_countermeasure' }),
  properties: {
    id: key(),
    projectCountermeasureId: references('project_countermeasure', { onDelete: 'cascade' }),
    /** The tool whose report it is from; empty for a note of a person or a client. */
    system: p.text().default(''),
    analysisSession: p.text().default(''),
    behaviour: p.enum(['combine', 'replace'] as const).default('replace'),
    /** Whether it replaces the results of all tools, not only those of its own. */
    replacesAll: p.boolean().default(false),
    confidence: p.enum(['low', 'high'] as const).default('high'),
    findings: p.json<object>().defaultRaw("'[]'"),
    findingRef: p.text().default(''),
    status: p.enum(['pass', 'partial', 'fail'] as const),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    updatedBy: references('user_account').nullable(),
  },
  indexes: [{ name: 'project_countermeasure_analysis_of', properties: ['projectCountermeasureId', 'id'] }],
});
