import { defineEntity, p } from '@mikro-orm/core';
import { computed, externalKey, numberList } from '../../kernel/schema/columns.js';
import { searchDocument, searchIndex } from '../../kernel/schema/search-document.js';

/** A weakness type of CWE. */
export const Cwe = defineEntity({
  name: 'Cwe',
  tableName: 'cwe',
  properties: {
    id: externalKey(),
    title: p.text(),
    abstraction: p.text(),
    status: p.text(),
    searchText: computed(`id::text || E'\\n' || title`),
    parents: numberList(),
    capecs: numberList(),
    document: searchDocument('cwe'),
  },
  indexes: [searchIndex('cwe')],
});
