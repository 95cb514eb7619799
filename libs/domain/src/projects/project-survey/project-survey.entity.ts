import { defineEntity } from '@mikro-orm/core';
import { references } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/** A saved answer of a project’s survey. */
export const ProjectAnswer = defineEntity({
  name: 'ProjectAnswer',
  tableName: 'project_answer',
  ...rowsOf({ project_id: 'project' }),
  properties: {
    projectId: references('project', { onDelete: 'cascade' }).primary(),
    answerId: references('survey_answer', { onDelete: 'cascade' }).primary(),
  },
  indexes: [{ name: 'project_answer_answer', properties: ['answerId'] }],
});

/** An answer in the draft, which exists while it differs from the saved survey. */
export const ProjectDraftAnswer = defineEntity({
  name: 'ProjectDraftAnswer',
  tableName: 'project_draft_answer',
  ...rowsOf({ project_id: 'project' }),
  properties: {
    projectId: references('project', { onDelete: 'cascade' }).primary(),
    answerId: references('survey_answer', { onDelete: 'cascade' }).primary(),
  },
  indexes: [{ name: 'project_draft_answer_answer', properties: ['answerId'] }],
});
