import { threatFrameworkProjection } from '#domain/library/threat-framework/threat-framework.projection.js';
import { modelOf } from './content-model.js';

/** Threat frameworks are built in: an import can't change them. */
export const threatFrameworkModel = modelOf(threatFrameworkProjection, {
  name: 'threat_framework',
  title: 'Threat frameworks',
  references: { entries: 'threat' },
});
