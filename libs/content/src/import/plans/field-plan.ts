import { cleanLine, cleanTexts, type FieldCheck } from '#domain/kernel/fields/field-checks.js';
import type { Field } from '#domain/kernel/fields/field.js';
import type { Kind } from '#domain/kernel/item-id.js';
import { missingMessages } from '#domain/kernel/domain-errors.js';
import type { CellValue } from '#files/cell-value.js';
import { textOf, textsOf } from '../formats/text-of.js';

/** What an id in a file refers to: a kind of item, an item of any kind, or an entry of a public catalog. */
export type Target = Kind | 'library_item' | 'cwe' | 'capec' | 'framework_entry' | 'component_icon';

export interface Referred {
  readonly target: Target;
  readonly id: string;
}

/**
 * A value in its normalized form; or its errors, with the part that could be parsed (`readable`), which is checked
 * further, because an import reports all errors.
 */
export type Normal =
  | { readonly value: CellValue }
  | { readonly errors: readonly string[]; readonly readable?: CellValue };

/** How an import normalizes a field and finds its references. */
export interface FieldPlan {
  readonly normal?: (value: CellValue, present: CellValue | undefined) => Normal;
  /** The references in a value; `present` is the current value of an existing item. */
  readonly refersTo?: (value: CellValue, present?: CellValue) => readonly Referred[];
}

const unique = <T>(entries: readonly T[]): T[] => [...new Set(entries)];

/** One line of text, cleaned as in the API. */
const line: FieldPlan = {
  normal: (value) => ({ value: typeof value === 'string' ? cleanLine(value) : value }),
};

/** A list of distinct texts, unchanged. */
export const exactTexts: FieldPlan = { normal: (value) => ({ value: unique(textsOf(value)) }) };

/** A list of texts, checked and cleaned as in the API. */
const texts = (check: FieldCheck): FieldPlan => ({
  normal: (value) => {
    const error = check(value);
    return error === undefined ? { value: cleanTexts(textsOf(value)) } : { errors: [error] };
  },
});

/** The id of one item, or null. */
export const one = (target: Target): FieldPlan => ({
  refersTo: (value) => (value === null ? [] : [{ target, id: textOf(value) }]),
});

/** A list of distinct ids, in their order. */
const many = (target: Target): FieldPlan => ({
  normal: (value) => ({ value: unique(textsOf(value)) }),
  refersTo: (value) => textsOf(value).map((id) => ({ target, id })),
});

/** A list of distinct numbers of a public catalog. */
const numbers = (target: 'cwe' | 'capec'): FieldPlan => ({
  normal: (value) => {
    const texts = textsOf(value);
    const isNumber = (text: string): boolean => Number.isSafeInteger(Number(text)) && Number(text) > 0;
    const readable = unique(texts.filter(isNumber).map(Number));
    const errors = unique(texts)
      .filter((text) => !isNumber(text))
      .flatMap((text) => missingMessages(text.slice(0, 100)));
    return errors.length ? { errors, readable } : { value: readable };
  },
  refersTo: (value) => textsOf(value).map((id) => ({ target, id })),
});

/** A list of distinct ids of entries of a threat framework. */
export const entries = (framework: string): FieldPlan => ({
  ...many('framework_entry'),
  refersTo: (value) => textsOf(value).map((id) => ({ target: 'framework_entry', id: `${framework}/${id}` })),
});

/** The plan of a field by its type. */
export function planOfField(field: Field): FieldPlan {
  if (field.type === 'text' && field.trimmed) return line;
  if (field.type === 'texts') return texts(field.check);
  if (field.type === 'reference') return one(field.kind);
  if (field.type === 'references') return many(field.kind);
  if (field.type === 'integers' && field.table) return numbers(field.table);
  return {};
}
