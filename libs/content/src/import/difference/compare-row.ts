import type { Actor } from '#domain/kernel/actor.js';
import type { ImportAction } from '#domain/exchange/import-job/import-job.rules.js';
import { checkChoice, checkInteger, checkText, listOf } from '#domain/kernel/field-checks.js';
import { Forbidden } from '#domain/kernel/domain-errors.js';
import { FIXED_CONTENT } from '#domain/library/item-batch/write-items.js';
import { assertActiveFlag, assertNewActiveFlag } from '#domain/library/weakness/weakness.commands.js';
import { LONGEST_ID, LONGEST_LINE, LONGEST_TEXT } from '#domain/kernel/text-limits.js';
import type { CellValue, RowValues } from '#files/cell-value.js';
import type { Column, ModelDescription } from '../../models/content-model.js';
import { refuseTogether } from '../plans/row-rules.js';
import { comparableConditions } from '../plans/nested-values.js';
import type { Plan } from '../plans/plan.js';
import type { Changes, FieldChange } from '../plans/changes.js';

/**
 * What a row would change, and its errors by field; null for errors of the row as a whole. `changes` may contain the
 * readable part of an invalid field.
 */
export interface Comparison {
  readonly action: ImportAction;
  readonly changes: Changes;
  readonly errors: readonly { readonly field: string | null; readonly details: string }[];
}

const sorted = (value: CellValue): CellValue =>
  Array.isArray(value) ? (value as readonly string[]).toSorted((a, b) => (a < b ? -1 : 1)) : value;

/** Whether two values of a column are equivalent. */
function same(column: Column, a: CellValue, b: CellValue): boolean {
  const comparable = (value: CellValue): CellValue =>
    column.name === 'match_conditions' ? comparableConditions(value) : column.bounds?.unordered ? sorted(value) : value;
  return JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));
}

/** Returns an error message, or undefined if the value may be written. */
function boundsProblem({ type, long, references, bounds = {} }: Column, value: CellValue): string | undefined {
  if (value === null) return undefined;
  const length = bounds.length ?? (references ? LONGEST_ID : long ? LONGEST_TEXT : LONGEST_LINE);
  if (bounds.choices) return checkChoice(value, bounds.choices);
  if (typeof value === 'string') return checkText(value, { maximum: length, blank: bounds.required !== true });
  if (typeof value === 'number') return checkInteger(value, bounds);
  return type === 'list' ? textsProblem(value, length) : undefined;
}

/** Checks the texts in a list. Numbers are checked later, together with the items that they refer to. */
const textsProblem = (value: CellValue, maximum: number): string | undefined =>
  listOf((entry) => (typeof entry === 'string' ? checkText(entry, { maximum, blank: true }) : undefined))(value);

/** Why a field of this item may not change. */
function refusal(plan: Plan, isBuiltIn: boolean, field: string): string | undefined {
  if (plan.owner === field) return `"${field}" can't be changed: the item exists within it.`;
  if (isBuiltIn && plan.fixed?.[field] !== undefined) return plan.fixed[field];
  if (isBuiltIn && plan.ofBuiltIn && !plan.ofBuiltIn.includes(field)) return plan.refusal ?? FIXED_CONTENT;
  return undefined;
}

/** Why the organization may say this of no item: a flag is off. */
function flagRefusal(actor: Actor, plan: Plan, field: string, isNew: boolean, value: CellValue): string | undefined {
  if (plan.kind !== 'weakness' || field !== 'active') return undefined;
  try {
    (isNew ? assertNewActiveFlag : assertActiveFlag)(actor, { active: value });
    return undefined;
  } catch (error) {
    if (error instanceof Forbidden) return error.message;
    throw error;
  }
}

/**
 * Holds a row against what is there. Other rows and the rest of the library are not looked at.
 *
 * @param present the item as it is; undefined for a new one
 * @param isShipped whether the item comes with the product
 * @param unread fields of which it is not known what the row says
 */
export function compareRow(
  actor: Actor,
  { columns }: ModelDescription,
  plan: Plan,
  given: RowValues,
  present: RowValues | undefined,
  isBuiltIn: boolean,
  unread: ReadonlySet<string> = new Set(),
): Comparison {
  const changes: Record<string, FieldChange> = {};
  const errors: { field: string | null; details: string }[] = [];
  for (const column of columns) {
    const { name } = column;
    const field = plan.fields[name] ?? {};
    const raw = given[name];
    if (raw === undefined) {
      if (!present && column.bounds?.required && !unread.has(name))
        errors.push({ field: name, details: 'This field is required.' });
      continue;
    }
    if (isBuiltIn && plan.givenByProduct?.includes(name)) continue;
    const there = present?.[name];
    const before = there === undefined ? undefined : (field.normal?.(there, undefined) ?? { value: there });
    const from = before && 'value' in before ? before.value : null;
    const normal = field.normal?.(raw, there) ?? { value: raw };
    if ('problems' in normal) {
      for (const details of normal.problems) errors.push({ field: name, details });
      if (normal.readable !== undefined) changes[name] = { from, to: normal.readable };
      continue;
    }
    const { value: to } = normal;
    if (present && same(column, from, to)) continue;
    const details =
      (present && refusal(plan, isBuiltIn, name)) ??
      flagRefusal(actor, plan, name, !present, to) ??
      boundsProblem(column, to);
    if (details === undefined) changes[name] = { from, to };
    else errors.push({ field: name, details });
  }
  const wrong = new Set([...unread, ...errors.map(({ field }) => field)]);
  errors.push(...refuseTogether(plan.kind, () => resultOf(changes, present), Object.keys(changes), wrong));
  return { action: actionOf(plan, changes, present), changes, errors };
}

const resultOf = (changes: Changes, present: RowValues | undefined): RowValues => ({
  ...present,
  ...Object.fromEntries(Object.entries(changes).map(([field, { to }]) => [field, to])),
});

function actionOf(plan: Plan, changes: Changes, present: RowValues | undefined): ImportAction {
  if (!present) return 'created';
  if (!Object.keys(changes).length) return 'unchanged';
  return plan.switch && changes[plan.switch.field]?.to === plan.switch.off ? 'deactivated' : 'updated';
}
