import { integer, json, list, text, timestamp } from './columns.js';
import { modelWithoutRows } from './content-model.js';

export const componentQuestionModel = modelWithoutRows({
  name: 'component_question',
  title: 'Questions of components',
  columns: {
    id: text('Such as `AQ1`.'),
    db_id: integer('Negative for custom content.', { readOnly: true }),
    text: text('', { long: true }),
    description: text('', { long: true }),
    question_type: text('`MC` takes several answers, `SC` one.'),
    answers: json('Its answers: `id`, `text`, `description`, `attribute`.', { references: 'attribute' }),
    components: list('The components that ask it.', { readOnly: true, references: 'component' }),
    created: timestamp('When it was made.', { readOnly: true }),
    updated: timestamp('When it was last changed.', { readOnly: true }),
  },
});
