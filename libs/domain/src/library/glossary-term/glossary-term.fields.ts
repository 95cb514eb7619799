import { line, text } from '../../kernel/fields/fields.js';

export const glossaryTermFields = { term: line(), definition: text() };
