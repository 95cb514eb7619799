import { sql } from 'kysely';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape, NUMERIC_ID } from '../../kernel/item-id.js';
import { visibleProjectId } from '../project-access/project-visibility.js';
import { userObject, userReferenceSchema } from '../../access/user/user-reference.js';
import { identitiesByItemId } from '../../kernel/built-in.sql.js';
import { times } from '../../access/user/authorship.projection.js';

export const surveyCommentProjection = projection({
  name: 'SurveyComment',
  source: (context) => [
    {
      table: sql.table('project_survey_comment'),
      where: sql`item.project_id = ${visibleProjectId(context.within, context)}`,
    },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: { sql: sql`item.id`, schema: schema.integer({ example: 3 }) },
    question: {
      sql: sql`(SELECT q.item_id FROM survey_question q WHERE q.id = item.question_id)`,
      schema: schema.string({ example: 'Q4' }),
    },
    text: { sql: sql`item.text`, schema: schema.string() },
    pinned: { sql: sql`item.pinned`, schema: schema.boolean({ description: 'Whether it is shown first.' }) },
    locked: {
      sql: sql`item.locked`,
      schema: schema.boolean({ description: 'Whether its text can no longer be changed.' }),
    },
    author: { sql: userObject(sql`item.author_id`), schema: schema.nullable(userReferenceSchema) },
    ...times.fields,
  },
  filters: {
    id: filters.integer(sql`item.id`, 'Its id.'),
    question: filters.reference(
      sql`item.question_id`,
      'Comments on this question.',
      identitiesByItemId('survey_question'),
      idShape('survey_question'),
    ),
    pinned: filters.boolean(sql`item.pinned`, 'Whether it is pinned.'),
    locked: filters.boolean(sql`item.locked`, 'Whether it is locked.'),
    author: filters.integer(sql`item.author_id`, 'The user who wrote it.'),
    ...times.filters,
  },
  orderings: {
    id: [sql`item.id`],
    ...times.orderings,
    pinned: [sql`item.pinned`],
  },
  defaultOrdering: 'id',
  search: { text: sql`item.text`, fields: ['text'] },
});
