import { capecProjection } from '#domain/library/capec/capec.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';

export const CapecsModule = readOnlyModule({
  name: 'Capecs',
  path: 'library/capecs',
  tag: 'CAPECs',
  family: 'library',
  projection: capecProjection,
  summaries: { list: 'List CAPECs', item: 'Show a CAPEC' },
});
