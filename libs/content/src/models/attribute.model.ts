import { attributeFields } from '#domain/library/attribute/attribute.fields.js';
import { attributeProjection } from '#domain/library/attribute/attribute.projection.js';
import { modelOf } from './content-model.js';

export const attributeModel = modelOf(attributeProjection, {
  name: 'attribute',
  title: 'Attributes',
  fields: attributeFields,
  references: { path: 'attribute' },
});
