import { BLANK, REQUIRED } from '#domain/kernel/fields/field-checks.js';
import type { Actor } from '#domain/kernel/actor.js';
import type { ImportAction } from '#domain/exchange/import-job/import-job.rules.js';
import type { Field } from '#domain/kernel/fields/field.js';
import { fixedFieldError } from '#domain/library/item-batch/built-in-rules.js';
import type { CellValue, RowValues } from '#files/cell-value.js';
import type { Column, ModelDescription } from '../../models/content-model.js';
import { textOf } from '../formats/text-of.js';
import { errorsAcrossFields } from '../plans/row-rules.js';
import { comparableConditions } from '../plans/nested-values.js';
import type { Plan } from '../plans/plan.js';
import type { Changes, FieldChange } from '../plans/changes.js';

/**
 * What a row would do, and its errors: messages by field, or under null for the whole row. For an invalid field,
 * `changes` contains the part that could be parsed, if any.
 */
export interface Comparison {
  readonly action: ImportAction;
  readonly changes: Changes;
  readonly errors: readonly { readonly field: string | null; readonly details: string }[];
}

const sorted = (value: CellValue): CellValue =>
  Array.isArray(value) ? (value as readonly string[]).toSorted((a, b) => (a < b ? -1 : 1)) : value;

/** Whether a column is a list in which the order does not matter. */
const isUnordered = ({ field }: Column): boolean => field?.type === 'references' && field.unordered === true;

/** Whether two values of a column are equal. */
function same(column: Column, a: CellValue, b: CellValue): boolean {
  const comparable = (value: CellValue): CellValue =>
    column.name === 'match_conditions' ? comparableConditions(value) : isUnordered(column) ? sorted(value) : value;
  return JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));
}

/** The validation error of a new value, if any. */
function errorOf(field: Field | undefined, value: CellValue): string | undefined {
  if (!field || value === null) return undefined;
  // For a blank reference, the API's message is that it does not exist.
  const isBlank = field.type === 'reference' && !field.optional && textOf(value).trim() === '';
  return isBlank ? BLANK : field.check(value);
}

/** The error for a change of a field that can't change in this item. */
function errorOfChange(
  { owner, builtIn = {}, customize }: Plan,
  isBuiltIn: boolean,
  field: string,
): string | undefined {
  if (owner === field) return `"${field}" can't be changed: the item is part of it.`;
  return isBuiltIn ? fixedFieldError(builtIn, { hasVersions: customize !== undefined }, field) : undefined;
}

/**
 * Compares a row with its item, without regard to other rows and the rest of the library.
 *
 * @param present the current item; undefined for a new one
 * @param isBuiltIn whether the item is built in
 * @param unread fields whose values could not be parsed
 */
export function compareRow(
  actor: Actor,
  { columns }: ModelDescription,
  plan: Plan,
  rowValues: RowValues,
  present: RowValues | undefined,
  isBuiltIn: boolean,
  unread: ReadonlySet<string> = new Set(),
): Comparison {
  const changes: Record<string, FieldChange> = {};
  const errors: { field: string | null; details: string }[] = [];
  for (const column of columns) {
    const { name } = column;
    const field = plan.fields?.[name] ?? {};
    const raw = rowValues[name];
    if (raw === undefined) {
      if (!present && column.field?.optional === false && !unread.has(name))
        errors.push({ field: name, details: REQUIRED });
      continue;
    }
    if (isBuiltIn && plan.computedIfBuiltIn?.includes(name)) continue;
    const currentValue = present?.[name];
    const before =
      currentValue === undefined ? undefined : (field.normal?.(currentValue, undefined) ?? { value: currentValue });
    const from = before && 'value' in before ? before.value : null;
    const normal = field.normal?.(raw, currentValue) ?? { value: raw };
    if ('errors' in normal) {
      for (const details of normal.errors) errors.push({ field: name, details });
      if (normal.readable !== undefined) changes[name] = { from, to: normal.readable };
      continue;
    }
    const { value: to } = normal;
    if (present && same(column, from, to)) continue;
    const details =
      (present && errorOfChange(plan, isBuiltIn, name)) ??
      plan.flagError?.(actor, { [name]: to }, !present)?.message ??
      errorOf(column.field, to);
    if (details === undefined) changes[name] = { from, to };
    else errors.push({ field: name, details });
  }
  const invalidFields = new Set([...unread, ...errors.map(({ field }) => field)]);
  errors.push(...errorsAcrossFields(plan.kind, () => resultOf(changes, present), Object.keys(changes), invalidFields));
  return { action: actionOf(changes, present), changes, errors };
}

/** The values of inactive items, by the names that the field has. */
const INACTIVE: RowValues = { active: false, is_active: false, hidden: true };

const resultOf = (changes: Changes, present: RowValues | undefined): RowValues => ({
  ...present,
  ...Object.fromEntries(Object.entries(changes).map(([field, { to }]) => [field, to])),
});

function actionOf(changes: Changes, present: RowValues | undefined): ImportAction {
  if (!present) return 'created';
  if (!Object.keys(changes).length) return 'unchanged';
  return Object.entries(INACTIVE).some(([field, off]) => changes[field]?.to === off) ? 'deactivated' : 'updated';
}
