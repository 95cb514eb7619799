import type { ColumnValue, SqlType } from '#domain/kernel/item-batch.commands.js';
import type { FieldCheck } from '#domain/kernel/field-checks.js';
import type { Kind } from '#domain/kernel/item-id.js';
import { missing } from '#domain/kernel/domain-errors.js';
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

/** Internal ids of items that were found before. */
export type Identities = (kind: Kind, id: string) => number;

/**
 * A value in the one form that it is compared in; or everything that is wrong with it, with what of it can be read:
 * that is looked at too, since an import reports all that is wrong.
 */
export type Normal =
  | { readonly value: CellValue }
  | { readonly problems: readonly string[]; readonly readable?: CellValue };

/** How a field of a file becomes columns of a table. */
export interface FieldPlan {
  readonly columns: Readonly<Record<string, SqlType>>;
  /** What a new item has where its row says nothing. */
  readonly otherwise?: CellValue;
  readonly normal?: (value: CellValue, present: CellValue | undefined) => Normal;
  /** What a value refers to; `present` is the one that is there, where there is one. */
  readonly refersTo?: (value: CellValue, present?: CellValue) => readonly Referred[];
  readonly write: (value: CellValue, identities: Identities) => Readonly<Record<string, ColumnValue>>;
}

const unique = <T>(entries: readonly T[]): T[] => [...new Set(entries)];

/** A value that is kept as it is. */
export const plain = (column: string, type: SqlType, otherwise?: CellValue): FieldPlan => ({
  columns: { [column]: type },
  ...(otherwise !== undefined && { otherwise }),
  // Its type has passed the check of the column.
  write: (value) => ({ [column]: value as ColumnValue }),
});

/** One line of text, without blanks at its ends. */
export const line = (column: string, otherwise?: CellValue): FieldPlan => ({
  ...plain(column, 'text', otherwise),
  normal: (value) => ({ value: typeof value === 'string' ? value.trim() : value }),
});

/** A list of texts, cleaned as the API cleans it. */
export const texts = (column: string, clean: (entries: readonly string[]) => string[] = unique): FieldPlan => ({
  ...plain(column, 'text[]', []),
  normal: (value) => ({ value: clean(textsOf(value)) }),
});

/** A field whose value is checked as the API checks it; null is not looked at. */
export const checked = (plan: FieldPlan, check: FieldCheck): FieldPlan => ({
  ...plan,
  normal: (value, present) => {
    const problem = value === null ? undefined : check(value);
    return problem === undefined ? (plan.normal?.(value, present) ?? { value }) : { problems: [problem] };
  },
});

/** True where the column is false. */
export const negated = (column: string, otherwise: boolean): FieldPlan => ({
  columns: { [column]: 'boolean' },
  otherwise,
  write: (value) => ({ [column]: value !== true }),
});

/** The id of one item, or null. */
export const one = (column: string, kind: Kind, otherwise?: null): FieldPlan => ({
  columns: { [column]: 'bigint' },
  ...(otherwise !== undefined && { otherwise }),
  refersTo: (value) => (value === null ? [] : [{ target: kind, id: textOf(value) }]),
  write: (value, identities) => ({ [column]: value === null ? null : identities(kind, textOf(value)) }),
});

/** Ids of items, each once, in their order. */
export const many = (column: string, kind: Kind): FieldPlan => ({
  columns: { [column]: 'bigint[]' },
  otherwise: [],
  normal: (value) => ({ value: unique(textsOf(value)) }),
  refersTo: (value) => textsOf(value).map((id) => ({ target: kind, id })),
  write: (value, identities) => ({ [column]: textsOf(value).map((id) => identities(kind, id)) }),
});

/** Numbers of a public table, each once. */
export const numbers = (column: string, target: 'cwe' | 'capec'): FieldPlan => ({
  columns: { [column]: 'bigint[]' },
  otherwise: [],
  normal: (value) => {
    const given = textsOf(value);
    const isNumber = (text: string): boolean => Number.isSafeInteger(Number(text)) && Number(text) > 0;
    const readable = unique(given.filter(isNumber).map(Number));
    const problems = unique(given)
      .filter((text) => !isNumber(text))
      .flatMap((text) => missing(text.slice(0, 100)));
    return problems.length ? { problems, readable } : { value: readable };
  },
  refersTo: (value) => textsOf(value).map((id) => ({ target, id })),
  write: (value) => ({ [column]: textsOf(value).map(Number) }),
});

/** Ids of entries of a framework of threats, each once. */
export const entries = (column: string, framework: string): FieldPlan => ({
  columns: { [column]: 'text[]' },
  otherwise: [],
  normal: (value) => ({ value: unique(textsOf(value)) }),
  refersTo: (value) => textsOf(value).map((id) => ({ target: 'framework_entry', id: `${framework}/${id}` })),
  write: (value) => ({ [column]: textsOf(value) }),
});

/** What is written by other means than columns, as `normal` says. */
export const relatedTables = (plan: Pick<FieldPlan, 'normal' | 'refersTo' | 'otherwise'>): FieldPlan => ({
  ...plan,
  columns: {},
  write: () => ({}),
});
