import { p } from '@mikro-orm/core';
import { customLetters, LETTERS } from '../../kernel/item-id.js';
import { computed, createdAt, index, references, uniqueIndex, updatedAt } from '../../kernel/schema/columns.js';
import { textList } from '../../kernel/schema/columns.js';
import { searchDocument, searchIndex } from '../../kernel/schema/search-document.js';
import type { CustomizableKind } from './customization.sql.js';

const publicId = (kind: CustomizableKind): string =>
  `CASE WHEN is_custom THEN '${customLetters(kind)}' ELSE '${LETTERS[kind]}' END || number::text`;

/** Properties of the versions of all kinds: organization, number, and authorship. */
export const versionProperties = (kind: CustomizableKind) => ({
  organizationId: references('organization').nullable(),
  isCustom: p.boolean(),
  number: p.integer(),
  itemId: computed(publicId(kind)),
  revision: p.integer().default(1),
  changedFields: textList(),
  title: p.text(),
  text: p.text(),
  active: p.boolean().default(true),
  createdAt: createdAt(),
  createdBy: references('user_account').nullable(),
  updatedAt: updatedAt(),
  updatedBy: references('user_account').nullable(),
  document: searchDocument(`${kind}_version`),
});

/** The integer id in filters: negative for custom items. */
export const DB_ID = `CASE WHEN is_custom THEN '-' ELSE '' END || number::text`;

/** The searched text: public id, further expressions, and title. */
export const searchText = (kind: CustomizableKind, ...others: readonly string[]) =>
  computed([publicId(kind), ...others, 'title'].join(` || E'\\n' || `));

/** Indexes that allow one version per item and organization, and those that lists are ordered and filtered by. */
export const versionIndexes = (
  kind: 'countermeasure' | 'weakness' | 'additional_requirement' | 'how_to' | 'threat',
) => {
  const table = `${kind}_version` as const;
  return [
    uniqueIndex(`${table}_owner`, `${table} (${kind}_id, organization_id) NULLS NOT DISTINCT`),
    uniqueIndex(`${table}_item_id`, `${table} (item_id, organization_id) NULLS NOT DISTINCT`),
    index(`${table}_order`, `${table} (organization_id, is_custom, number) INCLUDE (${kind}_id, active)`),
    index(`${table}_title`, `${table} (organization_id, lower(title), is_custom, number)`),
    index(`${table}_updated_by`, `${table} (organization_id, coalesce(updated_by, 0::bigint))`),
    index(`${table}_updated`, `${table} (organization_id, updated_at, is_custom, number)`),
    searchIndex(table),
  ];
};
