import { threatFrameworkProjection } from '#domain/library/threat-framework/threat-framework.projection.js';
import { modelOf } from './content-model.js';

/** Frameworks come with the product: nothing of them is taken by an import. */
export const threatFrameworkModel = modelOf(threatFrameworkProjection, {
  name: 'threat_framework',
  title: 'Threat frameworks',
  references: { entries: 'threat' },
});
