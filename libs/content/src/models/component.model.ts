import { boolean, json, list, text, timestamp } from './columns.js';
import { modelWithoutRows } from './content-model.js';

export const componentModel = modelWithoutRows({
  name: 'component',
  title: 'Components',
  columns: {
    id: text('Such as `SC4`.'),
    type: text('Where it comes from.', { readOnly: true }),
    is_custom: boolean('Whether the organization made it.', { readOnly: true }),
    title: text(''),
    description: text('', { long: true }),
    category: text('', { readOnly: true }),
    answer_mapping: text('The answer that brings it in.', { nullable: true, references: 'answer' }),
    tasks_implemented: list('The countermeasures that it takes care of.', { references: 'standard' }),
    tasks_introduced: list('The countermeasures that it makes necessary.', { references: 'standard' }),
    hidden: boolean('Whether it is being prepared, and in no project yet.'),
    implied_attributes: list('The attributes that it brings along.', { references: 'attribute' }),
    component_questions: json('Its questionnaire: `question`, `parent_answer`.', { references: 'component_question' }),
    icon_slug: text(''),
    icon_url: text('', { readOnly: true }),
    created: timestamp('When it was made.', { readOnly: true }),
    updated: timestamp('When it was last changed.', { readOnly: true }),
  },
});
