import { componentFields } from '#domain/library/component/component.fields.js';
import { componentProjection } from '#domain/library/component/component.projection.js';
import { modelOf } from './content-model.js';

export const componentModel = modelOf(componentProjection, {
  name: 'component',
  title: 'Components',
  fields: componentFields,
  references: { component_questions: 'component_question' },
});
