import { defineEntity, p } from '@mikro-orm/core';
import { key, references, timestamp, uniqueIndex } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';

/** A public catalog that was imported, with its source and license terms. */
export const CatalogImport = defineEntity({
  name: 'CatalogImport',
  tableName: 'catalog_import',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    /** Null for catalogs that all organizations share. */
    organizationId: references('organization').nullable(),
    kind: p.text(),
    name: p.text(),
    version: p.text(),
    licence: p.text(),
    entries: p.integer(),
    importedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
  indexes: [
    { name: 'catalog_import_organization', properties: ['organizationId'] },
    uniqueIndex('catalog_import_source', 'catalog_import (kind, organization_id, name, version) NULLS NOT DISTINCT'),
  ],
});
