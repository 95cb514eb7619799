import { sql } from 'kysely';
import { howToFileFields } from '#domain/library/how-to/how-to.fields.js';
import { howToProjection } from '#domain/library/how-to/how-to.projection.js';
import { visibleVersionBranches } from '#domain/library/customization/customization.sql.js';
import { userInFiles } from '#domain/access/user/user-reference.js';
import { matchConditionsInFiles } from '#domain/library/match-condition/match-condition.projection.js';
import { modelOf } from './content-model.js';

export const howToModel = modelOf(howToProjection, {
  name: 'implementation',
  title: 'How-tos',
  fields: howToFileFields,
  sql: {
    created_by: userInFiles(sql`item.created_by`),
    last_updated_by: userInFiles(sql`item.updated_by`),
    match_conditions: matchConditionsInFiles('how_to'),
  },
  // The API lists them by countermeasure; a file contains all of them, with the parent in a column.
  source: visibleVersionBranches('how_to'),
  columns: {
    task: {
      sql: sql`(SELECT c.item_id FROM how_to i JOIN countermeasure c ON c.id = i.countermeasure_id
        WHERE i.id = item.how_to_id)`,
    },
  },
});
