import { sql } from 'kysely';
import type { QueryContext } from '#query/query-context.js';
import type { Branch } from '#query/projection.js';
import { idShape } from '../../kernel/item-id.js';
import { visibleVersionBranches } from './customization.sql.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';

/** The visible versions of a kind whose items belong to countermeasures, limited to the countermeasure in the path. */
export const versionsWithinCountermeasure =
  (kind: 'additional_requirement' | 'how_to') =>
  (context: QueryContext): Branch[] => {
    // Paths may contain text that the database does not accept, so anything without the shape of an id becomes empty.
    const countermeasureId = idShape('countermeasure').test(context.within) ? context.within : '';
    return visibleVersionBranches(kind)(context).map(({ table, where }) => ({
      table,
      where: sql`${where} AND ${sql.ref(`item.${kind}_id`)} IN (
        SELECT i.id FROM ${sql.table(kind)} i JOIN countermeasure c ON c.id = i.countermeasure_id
        WHERE c.item_id = ${countermeasureId} AND ${builtInOrCustom('c', context)})`,
    }));
  };
