import { regulationFields } from '#domain/library/regulation/regulation.fields.js';
import { regulationProjection } from '#domain/library/regulation/regulation.projection.js';
import { modelOf } from './content-model.js';

export const regulationModel = modelOf(regulationProjection, {
  name: 'regulation',
  title: 'Regulations',
  fields: regulationFields,
});
