import { attributeProjection } from '#domain/library/attribute/attribute.projection.js';
import { modelOf } from './content-model.js';

export const attributeModel = modelOf(attributeProjection, {
  name: 'attribute',
  title: 'Attributes',
  writable: ['name', 'description', 'active', 'parent'],
  references: { parent: 'attribute', path: 'attribute' },
  long: ['description'],
  required: ['name'],
});
