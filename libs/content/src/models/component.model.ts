import { componentProjection } from '#domain/library/component/component.projection.js';
import { ICON_SLUG_MAXIMUM_LENGTH } from '#domain/library/component/component.rules.js';
import { modelOf } from './content-model.js';

export const componentModel = modelOf(componentProjection, {
  name: 'component',
  title: 'Components',
  writable: [
    'title',
    'description',
    'answer_mapping',
    'tasks_implemented',
    'tasks_introduced',
    'hidden',
    'implied_attributes',
    'icon_slug',
    'component_questions',
  ],
  references: {
    answer_mapping: 'answer',
    tasks_implemented: 'standard',
    tasks_introduced: 'standard',
    implied_attributes: 'attribute',
    component_questions: 'component_question',
  },
  long: ['description'],
  required: ['title'],
  lengths: { icon_slug: ICON_SLUG_MAXIMUM_LENGTH },
});
