import { sql } from 'kysely';
import { builtInAndCustom } from '#domain/kernel/built-in.sql.js';
import { regulationSectionProjection } from '#domain/library/regulation/regulation-section.projection.js';
import { text } from './columns.js';
import { modelOf } from './content-model.js';

export const regulationSectionModel = modelOf(regulationSectionProjection, {
  name: 'regulation_section',
  title: 'Sections of regulations',
  writable: ['code', 'title', 'ordinal', 'countermeasures'],
  required: ['title'],
  unordered: ['countermeasures'],
  references: { countermeasures: 'standard' },
  // The API lists them within their regulation, which a file has to name.
  source: builtInAndCustom('regulation_section'),
  columns: {
    regulation: {
      ...text('The regulation that it belongs to.', { references: 'regulation', bounds: { required: true } }),
      sql: sql`(SELECT r.item_id FROM regulation r WHERE r.id = item.regulation_id)`,
    },
  },
});
