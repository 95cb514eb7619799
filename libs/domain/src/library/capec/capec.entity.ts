import { defineEntity, p } from '@mikro-orm/core';
import { computed, externalKey, numberList } from '../../kernel/schema/columns.js';
import { searchDocument, searchIndex } from '../../kernel/schema/search-document.js';

/** An attack pattern of CAPEC. */
export const Capec = defineEntity({
  name: 'Capec',
  tableName: 'capec',
  properties: {
    id: externalKey(),
    title: p.text(),
    abstraction: p.text(),
    likelihood: p.text().nullable(),
    severity: p.text().nullable(),
    cwes: numberList(),
    searchText: computed(`id::text || E'\\n' || title`),
    document: searchDocument('capec'),
  },
  indexes: [searchIndex('capec')],
});
