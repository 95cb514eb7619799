import { integer, json, text } from './columns.js';
import { modelWithoutRows } from './content-model.js';

export const threatFrameworkModel = modelWithoutRows({
  name: 'threat_framework',
  title: 'Threat frameworks',
  columns: {
    id: text(''),
    slug: text('', { readOnly: true }),
    name: text('', { readOnly: true }),
    version: text('', { readOnly: true }),
    url: text('', { readOnly: true }),
    entries_count: integer('', { readOnly: true }),
    entries: json('Its entries: `id`, `name`, `url`, `threats`.', { readOnly: true, references: 'threat' }),
  },
});
