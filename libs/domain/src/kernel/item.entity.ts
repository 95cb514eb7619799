import { defineEntity, p } from '@mikro-orm/core';
import { customLetters, type Kind, LETTERS } from './item-id.js';
import { computed, key, references, uniqueIndex } from './schema/columns.js';

/** SQL of a public id: the prefix, which differs for custom items, and the number. */
const publicId = (kind: Kind): string =>
  `CASE WHEN organization_id IS NULL THEN '${LETTERS[kind]}' ELSE '${customLetters(kind)}' END || number::text`;

/** Properties of rows that are built-in (without an organization) or belong to one organization. */
export const itemProperties = (kind: Kind) => ({
  organizationId: references('organization').nullable(),
  number: p.integer(),
  itemId: computed(publicId(kind)),
});

/** Columns that the tables of all kinds have in common. It has no table of its own. */
export const Item = defineEntity({
  name: 'Item',
  tableName: 'item',
  abstract: true,
  properties: { id: key(), ...itemProperties('phase') },
});

/** The same for ids that are plain numbers: an organization's row replaces the built-in one with the same number. */
export const numberedProperties = {
  organizationId: references('organization').nullable(),
  number: p.integer(),
  itemId: computed('number::text'),
};

/** Allows one row per public id and organization. */
export const itemIndex = (table: string) =>
  uniqueIndex(`${table}_item_id`, `${table} (item_id, organization_id) NULLS NOT DISTINCT`);
