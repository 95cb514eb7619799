import { type FieldsOfFile, itemCommand } from '../item-batch/write-items.js';

/** Makes and changes custom terms of the glossary. */
export const writeGlossaryTerms = itemCommand<FieldsOfFile>({
  table: { kind: 'glossary_term', customizable: false, columns: { term: 'text', definition: 'text' } },
  title: 'term',
});
