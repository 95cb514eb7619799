import { sql } from 'kysely';
import { weaknessFileFields } from '#domain/library/weakness/weakness.fields.js';
import { visible } from '#domain/library/customization/customization.sql.js';
import { weaknessProjection } from '#domain/library/weakness/weakness.projection.js';
import { jsonList } from '#query/expressions.js';
import { userInFiles } from '#domain/access/user/user-reference.js';
import { matchConditionsInFiles } from '#domain/library/match-condition/match-condition.projection.js';
import { modelOf } from './content-model.js';

export const weaknessModel = modelOf(weaknessProjection, {
  name: 'weakness',
  title: 'Weaknesses',
  fields: weaknessFileFields,
  references: { match_conditions: 'answer', related_tasks: 'standard' },
  sql: {
    last_updated_by: userInFiles(sql`item.updated_by`),
    match_conditions: matchConditionsInFiles('weakness'),
  },
  columns: {
    related_tasks: {
      about: 'The countermeasures of this weakness.',
      sql: ({ organization }) =>
        jsonList(sql`SELECT t.item_id AS entry FROM countermeasure_version t
          WHERE t.weakness_id = item.weakness_id AND ${visible('countermeasure', 't', organization)}
          ORDER BY t.is_custom, t.number`),
    },
  },
});
