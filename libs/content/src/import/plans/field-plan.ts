import { cleanTexts } from '#domain/kernel/fields/field-checks.js';
import type { Field } from '#domain/kernel/fields/field.js';
import type { Kind } from '#domain/kernel/item-id.js';
import { type CellValue, textOf, textsOf } from '#files/cell-value.js';

/** What an id in a file refers to: a kind of item, an item of any kind, or an entry of a public catalog. */
export type Target = Kind | 'library_item' | 'cwe' | 'capec' | 'framework_entry' | 'component_icon';

export interface Referred {
  readonly target: Target;
  readonly id: string;
}

/**
 * A value in its normalized form; or the errors of its entries, with the part that is valid (`readable`), which is
 * checked further, because an import reports all errors.
 */
export type Normal =
  | { readonly value: CellValue }
  | { readonly errors: readonly string[]; readonly readable?: CellValue };

/** How an import normalizes a value that its field accepts, as the command does, and finds its references. */
export interface FieldPlan {
  readonly normal?: (value: CellValue, present: CellValue | undefined) => Normal;
  /** The references in a value; `present` is the current value of an existing item. */
  readonly refersTo?: (value: CellValue, present?: CellValue) => readonly Referred[];
}

/** A list of distinct entries, in their order. */
const distinct: FieldPlan = {
  normal: (value) => ({ value: Array.isArray(value) ? [...new Set(value as readonly CellValue[])] : value }),
};

/** A list of texts that may have blanks at their ends. */
export const exactTexts = distinct;

/** A list of texts. */
const texts: FieldPlan = { normal: (value) => ({ value: cleanTexts(textsOf(value)) }) };

/** The id of one item, or null. */
export const one = (target: Target): FieldPlan => ({
  refersTo: (value) => (value === null ? [] : [{ target, id: textOf(value) }]),
});

/** A list of distinct ids, or of numbers of a public catalog. */
const many = (target: Target): FieldPlan => ({
  ...distinct,
  refersTo: (value) => textsOf(value).map((id) => ({ target, id })),
});

/** A list of distinct ids of entries of a threat framework. */
export const entries = (framework: string): FieldPlan => ({
  ...many('framework_entry'),
  refersTo: (value) => textsOf(value).map((id) => ({ target: 'framework_entry', id: `${framework}/${id}` })),
});

/** The plan of a field by its type. */
export function planOfField(field: Field): FieldPlan {
  if (field.type === 'texts') return texts;
  if (field.type === 'reference') return one(field.kind);
  if (field.type === 'references') return many(field.kind);
  if (field.type === 'integers' && field.table) return many(field.table);
  return {};
}
