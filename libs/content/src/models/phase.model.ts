import { phaseProjection } from '#domain/phase/phase.projection.js';
import { modelOf } from './content-model.js';

export const phaseModel = modelOf(phaseProjection, {
  name: 'phase',
  title: 'Phases',
  writable: ['name', 'slug', 'description', 'tip', 'ordinal', 'active', 'retain'],
  long: ['description', 'tip'],
});
