import { sql } from 'kysely';
import { jsonObject, referencedJsonList } from '#query/expressions.js';
import type { Sql } from '#query/query-context.js';
import * as schema from '#query/schema.js';
import { identityDbId } from '../../kernel/built-in.sql.js';

/** An attribute as an object, for expands; its row is called `attribute`. */
const attributeObject = jsonObject({
  id: identityDbId('attribute'),
  item_id: sql`attribute.item_id`,
  name: sql`attribute.name`,
});

const attributeObjectSchema = schema.object({
  id: schema.integer({ description: 'The `db_id`: negative for custom attributes.', example: 12 }),
  item_id: schema.string({ example: 'AT12' }),
  name: schema.string({ example: 'Payment card data' }),
});

/** Public ids, or objects, of the attributes in an array column, in the array's order. */
export const attributeList = (column: Sql, expanded: boolean): Sql =>
  sql`(SELECT coalesce(json_agg(${expanded ? attributeObject : sql`attribute.item_id`}
    ORDER BY array_position(${column}, attribute.id)), '[]'::json)
    FROM attribute WHERE attribute.id = ANY(${column}))`;

/** The attributes in an array column as objects, in order. Each object is computed once for all rows of the page. */
export const attributeObjects = (column: Sql): Sql =>
  referencedJsonList(column, { id: sql`attribute.id`, entry: attributeObject, from: sql`attribute` });

/** Public ids of attributes. */
export const attributeIdsSchema = schema.list(schema.string({ example: 'AT12' }));

/** Attributes as objects. */
export const attributeObjectsSchema = schema.list(attributeObjectSchema);
