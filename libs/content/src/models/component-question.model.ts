import { sql } from 'kysely';
import { componentQuestionProjection } from '#domain/library/component/component-question.projection.js';
import { visible } from '#domain/library/customization/customization.sql.js';
import { jsonList } from '#query/expressions.js';
import { list } from './columns.js';
import { modelOf } from './content-model.js';

export const componentQuestionModel = modelOf(componentQuestionProjection, {
  name: 'component_question',
  title: 'Questions of components',
  writable: ['text', 'description', 'question_type', 'answers'],
  references: { answers: 'attribute' },
  long: ['text', 'description'],
  required: ['text', 'question_type'],
  columns: {
    components: {
      ...list('The components that ask it.', { readOnly: true, references: 'component' }),
      sql: ({ organization }) =>
        jsonList(sql`SELECT v.item_id AS entry FROM component_version v
          WHERE v.questions @> ARRAY[item.id] AND ${visible('component', 'v', organization)}
          ORDER BY v.is_custom, v.number`),
    },
  },
});
