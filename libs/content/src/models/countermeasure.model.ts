import { sql } from 'kysely';
import { countermeasureFileFields } from '#domain/library/countermeasure/countermeasure.fields.js';
import { countermeasureProjection } from '#domain/library/countermeasure/countermeasure.projection.js';
import { visible } from '#domain/library/customization/customization.sql.js';
import { itemIdsOf } from '#domain/kernel/built-in.sql.js';
import { userInFiles } from '#domain/access/user/user-reference.js';
import { jsonList, referencedTextOfAll } from '#query/expressions.js';
import type { Sql } from '#query/query-context.js';
import { matchConditionsInFiles } from '#domain/library/match-condition/match-condition.projection.js';
import { modelOf } from './content-model.js';

/**
 * Public ids of a countermeasure's parts. Most countermeasures have none: PostgreSQL evaluates EXISTS for all rows at
 * once, in a hashed subplan.
 */
const idsOf = (kind: 'additional_requirement' | 'how_to', order: Sql, organization: number): Sql => {
  const identity = sql`${sql.table(kind)} r`;
  const here = sql`r.countermeasure_id = item.countermeasure_id`;
  return sql`CASE WHEN EXISTS (SELECT FROM ${identity} WHERE ${here}) THEN ${jsonList(sql`
      SELECT a.item_id AS entry FROM ${identity}
        JOIN ${sql.table(`${kind}_version`)} a ON ${sql.ref(`a.${kind}_id`)} = r.id
      WHERE ${here} AND ${visible(kind, 'a', organization)} ORDER BY ${order}`)} ELSE '[]' END`;
};

export const countermeasureModel = modelOf(countermeasureProjection, {
  name: 'standard',
  title: 'Countermeasures',
  fields: countermeasureFileFields,
  references: { amendments: 'amendment', how_tos: 'implementation' },
  sql: {
    problem: (context) => referencedTextOfAll(sql`item.weakness_id`, itemIdsOf('weakness', context)),
    phase: (context) => referencedTextOfAll(sql`item.phase_id`, itemIdsOf('phase', context)),
    created_by: userInFiles(sql`item.created_by`),
    last_updated_by: userInFiles(sql`item.updated_by`),
    match_conditions: matchConditionsInFiles('countermeasure'),
  },
  // The parts themselves are in the files of their own models.
  columns: {
    amendments: {
      about: 'Its additional requirements, in their order.',
      sql: ({ organization }) => idsOf('additional_requirement', sql`a.ordinal, a.is_custom, a.number`, organization),
    },
    how_tos: {
      about: 'Its how-tos.',
      sql: ({ organization }) => idsOf('how_to', sql`a.is_custom, a.number`, organization),
    },
  },
});
