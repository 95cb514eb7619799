import { defineEntity, p } from '@mikro-orm/core';
import { computed, key, references, uniqueIndex } from './schema/columns.js';

/** A public id: the letters of the kind, with others for what an organization made itself, and the number. */
const itemId = (condition: string, letters: string, custom: string) =>
  `CASE WHEN ${condition} THEN '${letters}' ELSE '${custom}' END || number::text`;

/** What every row has that ships with the product (without an organization) or belongs to one organization. */
export const itemProperties = (letters: string, custom = `C${letters}`) => ({
  organizationId: references('organization').nullable(),
  number: p.integer(),
  itemId: computed(itemId('organization_id IS NULL', letters, custom)),
});

/** What the tables of all kinds have in common: no table of its own. */
export const Item = defineEntity({
  name: 'Item',
  tableName: 'item',
  abstract: true,
  properties: { id: key(), ...itemProperties('') },
});

/** The same, where ids are plain numbers: a row of an organization stands for the built-in one of its number. */
export const numberedProperties = {
  organizationId: references('organization').nullable(),
  number: p.integer(),
  itemId: computed('number::text'),
};

/** One row for a public id and an organization. */
export const itemIndex = (table: string) =>
  uniqueIndex(`${table}_item_id`, `${table} (item_id, organization_id) NULLS NOT DISTINCT`);
