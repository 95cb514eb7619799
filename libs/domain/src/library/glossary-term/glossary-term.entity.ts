import { defineEntity, p } from '@mikro-orm/core';
import { key } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';
import { itemIndex, itemProperties } from '../../kernel/item.entity.js';
import { searchDocument, searchIndex } from '../../kernel/schema/search-document.js';

/** A term with its definition. */
export const GlossaryTerm = defineEntity({
  name: 'GlossaryTerm',
  tableName: 'glossary_term',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('glossary_term'),
    term: p.text(),
    definition: p.text(),
    document: searchDocument('glossary_term'),
  },
  indexes: [itemIndex('glossary_term'), searchIndex('glossary_term')],
});
