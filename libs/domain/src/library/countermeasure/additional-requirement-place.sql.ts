import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import { visible } from '../customization/customization.sql.js';

/**
 * The order of additional requirements within their countermeasure, for an alias of their version table. One that a
 * release has dropped is inactive and comes after the built-in one that reused its number. The status of custom ones
 * does not affect the order.
 */
export const placeOrder = (alias: string): Sql =>
  sql`${sql.ref(`${alias}.ordinal`)}, ${sql.ref(`${alias}.is_custom`)}, NOT ${sql.ref(`${alias}.active`)},
    ${sql.ref(`${alias}.number`)}`;

/**
 * The position of an additional requirement: 1, 2, … after the countermeasure's own text, and negative before it.
 * Stored ordinals only define the order: there are gaps after deletions, and duplicates after the restoration of
 * built-in ones.
 */
export const placeOf = (alias: string, { organization, originals }: QueryContext): Sql => {
  const ordinal = sql.ref(`${alias}.ordinal`);
  if (originals) return ordinal;
  const own = sql`(${placeOrder(alias)})`;
  const other = sql`(${placeOrder('other')})`;
  return sql`(SELECT CASE WHEN ${ordinal} > 0 THEN count(*) FILTER (WHERE other.ordinal > 0 AND ${other} <= ${own})
      ELSE -count(*) FILTER (WHERE other.ordinal <= 0 AND ${other} >= ${own}) END
    FROM additional_requirement self
      JOIN additional_requirement sibling ON sibling.countermeasure_id = self.countermeasure_id
    JOIN additional_requirement_version other ON other.additional_requirement_id = sibling.id
    WHERE self.id = ${sql.ref(`${alias}.additional_requirement_id`)}
      AND ${visible('additional_requirement', 'other', organization)})`;
};
