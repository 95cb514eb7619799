import { defineEntity, p } from '@mikro-orm/core';
import { references } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';
import { STORED_STATES } from './survey-state.rules.js';

const properties = () => ({
  projectId: references('project', { onDelete: 'cascade' }).primary(),
  answerId: references('survey_answer', { onDelete: 'cascade' }).primary(),
  state: p.enum(STORED_STATES).default('chosen'),
});

/** What the saved survey of a project says about an answer. */
export const ProjectAnswer = defineEntity({
  name: 'ProjectAnswer',
  tableName: 'project_answer',
  ...rowsOf({ project_id: 'project' }),
  properties: properties(),
  indexes: [{ name: 'project_answer_answer', properties: ['answerId'] }],
});

/** The same in the draft, which exists while it differs from the saved survey. */
export const ProjectDraftAnswer = defineEntity({
  name: 'ProjectDraftAnswer',
  tableName: 'project_draft_answer',
  ...rowsOf({ project_id: 'project' }),
  properties: properties(),
  indexes: [{ name: 'project_draft_answer_answer', properties: ['answerId'] }],
});
