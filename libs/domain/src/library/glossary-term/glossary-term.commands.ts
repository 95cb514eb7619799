import { line, text } from '../../kernel/fields/fields.js';
import type { InputOf } from '../../kernel/fields/field.js';
import { itemCommand } from '../item-batch/write-items.js';
import { GlossaryTerm } from './glossary-term.entity.js';

export const glossaryTermFields = { term: line(), definition: text() };

export const writeGlossaryTerms = itemCommand<InputOf<typeof glossaryTermFields>>({
  table: { kind: 'glossary_term', entity: GlossaryTerm },
  title: 'term',
});
