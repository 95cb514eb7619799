import { cleanTexts, type FieldCheck } from '#domain/kernel/fields/field-checks.js';
import type { Field } from '#domain/kernel/fields/field.js';
import type { Kind } from '#domain/kernel/item-id.js';
import { missingMessages } from '#domain/kernel/domain-errors.js';
import type { CellValue } from '#files/cell-value.js';
import { textOf, textsOf } from '../formats/text-of.js';

/**
 * What ids in a file are ids of: a kind of items, an item of any kind, or a public table that is the same everywhere.
 */
export type Target = Kind | 'library_item' | 'cwe' | 'capec' | 'framework_entry' | 'component_icon';

export interface Referred {
  readonly target: Target;
  readonly id: string;
}

/**
 * A value in the one form that it is compared in; or everything that is wrong with it, with what of it can be read:
 * that is looked at too, since an import reports all that is wrong.
 */
export type Normal =
  | { readonly value: CellValue }
  | { readonly problems: readonly string[]; readonly readable?: CellValue };

/** What is particular about a field of a file. */
export interface FieldPlan {
  readonly normal?: (value: CellValue, present: CellValue | undefined) => Normal;
  /** What a value refers to; `present` is the one that is there, where there is one. */
  readonly refersTo?: (value: CellValue, present?: CellValue) => readonly Referred[];
}

const unique = <T>(entries: readonly T[]): T[] => [...new Set(entries)];

/** One line of text, without blanks at its ends. */
const line: FieldPlan = {
  normal: (value) => ({ value: typeof value === 'string' ? value.trim() : value }),
};

/** A list of texts, each once and as it is. */
export const exactTexts: FieldPlan = { normal: (value) => ({ value: unique(textsOf(value)) }) };

/** A list of texts, checked and cleaned as the API does it. */
const texts = (check: FieldCheck): FieldPlan => ({
  normal: (value) => {
    const problem = check(value);
    return problem === undefined ? { value: cleanTexts(textsOf(value)) } : { problems: [problem] };
  },
});

/** The id of one item, or null. */
export const one = (target: Target): FieldPlan => ({
  refersTo: (value) => (value === null ? [] : [{ target, id: textOf(value) }]),
});

/** Ids of items, each once, in their order. */
const many = (target: Target): FieldPlan => ({
  normal: (value) => ({ value: unique(textsOf(value)) }),
  refersTo: (value) => textsOf(value).map((id) => ({ target, id })),
});

/** Numbers of a public table, each once. */
const numbers = (target: 'cwe' | 'capec'): FieldPlan => ({
  normal: (value) => {
    const given = textsOf(value);
    const isNumber = (text: string): boolean => Number.isSafeInteger(Number(text)) && Number(text) > 0;
    const readable = unique(given.filter(isNumber).map(Number));
    const problems = unique(given)
      .filter((text) => !isNumber(text))
      .flatMap((text) => missingMessages(text.slice(0, 100)));
    return problems.length ? { problems, readable } : { value: readable };
  },
  refersTo: (value) => textsOf(value).map((id) => ({ target, id })),
});

/** Ids of entries of a framework of threats, each once. */
export const entries = (framework: string): FieldPlan => ({
  ...many('framework_entry'),
  refersTo: (value) => textsOf(value).map((id) => ({ target: 'framework_entry', id: `${framework}/${id}` })),
});

/** What follows from the type of a field. */
export function planOfField(field: Field): FieldPlan {
  if (field.type === 'text' && field.trimmed) return line;
  if (field.type === 'texts') return texts(field.check);
  if (field.type === 'reference') return one(field.kind);
  if (field.type === 'references') return many(field.kind);
  if (field.type === 'integers' && field.table) return numbers(field.table);
  return {};
}
