import type { InputOf } from '../../kernel/fields/field.js';
import { itemCommand } from '../item-batch/write-items.js';
import { GlossaryTerm } from './glossary-term.entity.js';
import type { glossaryTermFields } from './glossary-term.fields.js';

export const writeGlossaryTerms = itemCommand<InputOf<typeof glossaryTermFields>>({
  table: { kind: 'glossary_term', entity: GlossaryTerm },
  title: 'term',
});
