import { sql } from 'kysely';
import { regulationSectionFields } from '#domain/library/regulation/regulation.fields.js';
import { builtInAndCustom } from '#domain/kernel/built-in.sql.js';
import { regulationSectionProjection } from '#domain/library/regulation/regulation-section.projection.js';
import { modelOf } from './content-model.js';

export const regulationSectionModel = modelOf(regulationSectionProjection, {
  name: 'regulation_section',
  title: 'Sections of regulations',
  fields: regulationSectionFields,
  // The API lists them by regulation; a file contains all of them, with the parent in a column.
  source: builtInAndCustom('regulation_section'),
  columns: {
    regulation: {
      sql: sql`(SELECT r.item_id FROM regulation r WHERE r.id = item.regulation_id)`,
    },
  },
});
