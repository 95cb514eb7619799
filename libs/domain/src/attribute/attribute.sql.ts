import { sql } from 'kysely';
import { jsonList, jsonObject } from '#query/expressions.js';
import type { Sql } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { identityDbId } from '../overlay/shipped.sql.js';

/** An attribute as an object, for what expands it; its row is called `attribute`. */
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

/** The attributes of an array column of internal ids, in its order: public ids, or objects. */
export const attributeList = (column: Sql, expanded: boolean): Sql =>
  jsonList(sql`SELECT ${expanded ? attributeObject : sql`attribute.item_id`} AS entry
    FROM unnest(${column}) WITH ORDINALITY wanted(id, place) JOIN attribute ON attribute.id = wanted.id ORDER BY wanted.place`);

/** Public ids of attributes. */
export const attributeIdsSchema = schema.list(schema.string({ example: 'AT12' }));

/** Attributes as objects. */
export const attributeObjectsSchema = schema.list(attributeObjectSchema);
