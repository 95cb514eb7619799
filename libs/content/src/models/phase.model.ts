import { phaseProjection } from '#domain/library/phase/phase.projection.js';
import { PHASE_NAME_MAXIMUM_LENGTH, PHASE_TEXT_MAXIMUM_LENGTH } from '#domain/library/phase/phase.rules.js';
import { SLUG_MAXIMUM_LENGTH } from '#domain/kernel/slug.js';
import { modelOf } from './content-model.js';

export const phaseModel = modelOf(phaseProjection, {
  name: 'phase',
  title: 'Phases',
  writable: ['name', 'slug', 'description', 'tip', 'ordinal', 'active', 'retain'],
  long: ['description', 'tip'],
  required: ['name'],
  lengths: {
    name: PHASE_NAME_MAXIMUM_LENGTH,
    slug: SLUG_MAXIMUM_LENGTH,
    description: PHASE_TEXT_MAXIMUM_LENGTH,
    tip: PHASE_TEXT_MAXIMUM_LENGTH,
  },
});
