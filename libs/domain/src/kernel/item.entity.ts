import { defineEntity, p } from '@mikro-orm/core';
import { customLetters, type Kind, LETTERS } from './item-id.js';
import { computed, key, references, uniqueIndex } from './schema/columns.js';

/** A public id: the letters of the kind, with others for what an organization made itself, and the number. */
const publicId = (kind: Kind): string =>
  `CASE WHEN organization_id IS NULL THEN '${LETTERS[kind]}' ELSE '${customLetters(kind)}' END || number::text`;

/** What every row of library content has: a built-in one (without an organization), or an organization's own. */
export const itemProperties = (kind: Kind) => ({
  organizationId: references('organization').nullable(),
  number: p.integer(),
  itemId: computed(publicId(kind)),
});

/** What the tables of all kinds have in common, whatever their letters: no table of its own. */
export const Item = defineEntity({
  name: 'Item',
  tableName: 'item',
  abstract: true,
  properties: { id: key(), ...itemProperties('phase') },
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
