import { sql } from 'kysely';
import { howToProjection } from '#domain/library/how-to/how-to.projection.js';
import { visibleVersionBranches } from '#domain/library/customization/customization.sql.js';
import { SLUG_MAXIMUM_LENGTH } from '#domain/kernel/slug.js';
import { PROVENANCE_FIELDS, REFERENCE_MAXIMUM_LENGTH } from '#domain/library/item-reference/item-reference.rules.js';
import { userInFiles } from '#domain/access/user/user-reference.js';
import { matchConditionsInFiles } from '#domain/library/match-condition/match-condition.projection.js';
import { text } from './columns.js';
import { modelOf } from './content-model.js';

export const howToModel = modelOf(howToProjection, {
  name: 'implementation',
  title: 'How-tos',
  writable: ['title', 'text', 'slug', 'active', ...PROVENANCE_FIELDS, 'versions', 'match_conditions'],
  references: { match_conditions: 'answer' },
  sql: {
    created_by: userInFiles(sql`item.created_by`),
    last_updated_by: userInFiles(sql`item.updated_by`),
    match_conditions: matchConditionsInFiles('how_to'),
  },
  long: ['text'],
  required: ['title', 'text'],
  lengths: { slug: SLUG_MAXIMUM_LENGTH, references: REFERENCE_MAXIMUM_LENGTH },
  // The API lists them within their countermeasure, which a file has to name.
  source: visibleVersionBranches('how_to'),
  columns: {
    task: {
      ...text('The countermeasure that it belongs to.', { references: 'standard', bounds: { required: true } }),
      sql: sql`(SELECT c.item_id FROM how_to i JOIN countermeasure c ON c.id = i.countermeasure_id
        WHERE i.id = item.how_to_id)`,
    },
  },
});
