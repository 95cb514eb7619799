import { phaseFileFields } from '#domain/library/phase/phase.fields.js';
import { phaseProjection } from '#domain/library/phase/phase.projection.js';
import { modelOf } from './content-model.js';

export const phaseModel = modelOf(phaseProjection, {
  name: 'phase',
  title: 'Phases',
  fields: phaseFileFields,
});
