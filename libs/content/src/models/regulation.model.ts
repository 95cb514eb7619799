import { regulationProjection } from '#domain/regulation/regulation.projection.js';
import { modelOf } from './content-model.js';

export const regulationModel = modelOf(regulationProjection, {
  name: 'regulation',
  title: 'Regulations',
  writable: ['name', 'slug', 'version', 'url'],
});
