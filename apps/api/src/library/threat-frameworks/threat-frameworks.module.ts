import { threatFrameworkProjection } from '#domain/library/threat-framework/threat-framework.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';

export const ThreatFrameworksModule = readOnlyModule({
  name: 'ThreatFrameworks',
  path: 'library/threat-frameworks',
  tag: 'Threats',
  family: 'library',
  projection: threatFrameworkProjection,
  summaries: { list: 'List threat frameworks', item: 'Show a threat framework' },
});
