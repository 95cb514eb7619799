import { cweProjection } from '#domain/library/cwe/cwe.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';

export const CwesModule = readOnlyModule({
  name: 'Cwes',
  path: 'library/cwes',
  tag: 'CWEs',
  family: 'library',
  projection: cweProjection,
  summaries: { list: 'List CWEs', item: 'Show a CWE' },
});
