import { regulationProjection } from '#domain/library/regulation/regulation.projection.js';
import { SLUG_MAXIMUM_LENGTH } from '#domain/kernel/slug.js';
import { modelOf } from './content-model.js';

export const regulationModel = modelOf(regulationProjection, {
  name: 'regulation',
  title: 'Regulations',
  required: ['name'],
  lengths: { slug: SLUG_MAXIMUM_LENGTH },
  writable: ['name', 'slug', 'version', 'url'],
});
