import { sql } from 'kysely';
import { column } from '#query/column.js';
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
    id: column(schema.integer({ example: 3 }), { filter: 'Its id.', sortable: true }),
    question: {
      sql: sql`(SELECT q.item_id FROM survey_question q WHERE q.id = item.question_id)`,
      schema: schema.string({ example: 'Q4' }),
    },
    text: column(schema.string()),
    pinned: column(schema.boolean({ description: 'Whether it is shown first.' }), {
      filter: 'Whether it is pinned.',
      sortable: true,
    }),
    locked: column(schema.boolean({ description: 'Whether its text can no longer be changed.' }), {
      filter: 'Whether it is locked.',
    }),
    author: { sql: userObject(sql`item.author_id`), schema: schema.nullable(userReferenceSchema) },
    ...times.fields,
  },
  filters: {
    question: filters.reference(
      sql`item.question_id`,
      'Comments on this question.',
      identitiesByItemId('survey_question'),
      idShape('survey_question'),
    ),
    author: filters.integer(sql`item.author_id`, 'The user who wrote it.'),
    ...times.filters,
  },
  orderings: times.orderings,
  defaultOrdering: 'id',
  search: { text: sql`item.text`, fields: ['text'] },
});
