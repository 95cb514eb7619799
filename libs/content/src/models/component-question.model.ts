import { sql } from 'kysely';
import { componentQuestionFields } from '#domain/library/component/component-question.fields.js';
import { componentQuestionProjection } from '#domain/library/component/component-question.projection.js';
import { visible } from '#domain/library/customization/customization.sql.js';
import { jsonList } from '#query/expressions.js';
import { modelOf } from './content-model.js';

export const componentQuestionModel = modelOf(componentQuestionProjection, {
  name: 'component_question',
  title: 'Questions of components',
  fields: componentQuestionFields,
  references: { answers: 'attribute', components: 'component' },
  columns: {
    components: {
      about: 'The components that ask it.',
      sql: ({ organization }) =>
        jsonList(sql`SELECT v.item_id AS entry FROM component_version v
          WHERE v.questions @> ARRAY[item.id] AND ${visible('component', 'v', organization)}
          ORDER BY v.is_custom, v.number`),
    },
  },
});
