import { type FieldsOfFile, itemCommand } from '../item-batch/write-items.js';
import { GlossaryTerm } from './glossary-term.entity.js';

/** Makes and changes custom terms of the glossary. */
export const writeGlossaryTerms = itemCommand<FieldsOfFile>({
  table: { kind: 'glossary_term', entity: GlossaryTerm },
  title: 'term',
});
