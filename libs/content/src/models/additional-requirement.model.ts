import { sql } from 'kysely';
import { requirementFileFields } from '#domain/library/additional-requirement/additional-requirement.fields.js';
import { requirementProjection } from '#domain/library/additional-requirement/additional-requirement.projection.js';
import { visibleVersionBranches } from '#domain/library/customization/customization.sql.js';
import { userInFiles } from '#domain/access/user/user-reference.js';
import { matchConditionsInFiles } from '#domain/library/match-condition/match-condition.projection.js';
import { modelOf } from './content-model.js';

export const additionalRequirementModel = modelOf(requirementProjection, {
  name: 'amendment',
  title: 'Additional requirements',
  fields: requirementFileFields,
  sql: {
    // The stored ordinal instead of the computed position, because imports write the stored one.
    ordinal: sql`item.ordinal`,
    created_by: userInFiles(sql`item.created_by`),
    last_updated_by: userInFiles(sql`item.updated_by`),
    match_conditions: matchConditionsInFiles('additional_requirement'),
  },
  // The API lists them by countermeasure; a file contains all of them, with the parent in a column.
  source: visibleVersionBranches('additional_requirement'),
  columns: {
    task: {
      sql: sql`(SELECT c.item_id FROM additional_requirement i JOIN countermeasure c ON c.id = i.countermeasure_id
        WHERE i.id = item.additional_requirement_id)`,
    },
  },
});
