import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, updatedAt } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/** A comment on a question of a project’s survey. */
export const ProjectSurveyComment = defineEntity({
  name: 'ProjectSurveyComment',
  tableName: 'project_survey_comment',
  ...rowsOf({ project_id: 'project' }),
  properties: {
    id: key(),
    projectId: references('project', { onDelete: 'cascade' }),
    questionId: references('survey_question', { onDelete: 'cascade' }),
    text: p.text(),
    pinned: p.boolean().default(false),
    locked: p.boolean().default(false),
    authorId: references('user_account').nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [{ name: 'project_survey_comment_project', properties: ['projectId', 'questionId', 'id'] }],
});
