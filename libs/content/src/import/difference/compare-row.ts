import { isDeepStrictEqual } from 'node:util';
import { BLANK, MAX_LIST_LENGTH, REQUIRED, tooManyEntries } from '#domain/kernel/fields/field-checks.js';
import type { Actor } from '#domain/kernel/actor.js';
import type { ImportAction } from '#domain/exchange/import-job/import-job.rules.js';
import { errorOfValue, type Field } from '#domain/kernel/fields/field.js';
import { fixedFieldError } from '#domain/library/item-batch/built-in-rules.js';
import type { CellValue, RowValues } from '#files/cell-value.js';
import type { Column, ModelDescription } from '../../models/content-model.js';
import { errorsAcrossFields } from '../plans/row-rules.js';
import { comparableConditions } from '../plans/nested-values.js';
import type { Normal } from '../plans/field-plan.js';
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

/** The validation error of a value. */
function errorOf(field: Field, value: CellValue): string | undefined {
  // As in a body, no list may be longer, whatever its field expects.
  if (Array.isArray(value) && value.length > MAX_LIST_LENGTH) return tooManyEntries(MAX_LIST_LENGTH);
  // For a blank reference, the API's message is that it does not exist.
  const isBlank = field.type === 'reference' && !field.optional && typeof value === 'string' && value.trim() === '';
  return isBlank ? BLANK : errorOfValue(field, value);
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
    const { name, field } = column;
    if (!field) continue;
    const given = rowValues[name];
    if (given === undefined) {
      if (!present && !field.optional && !unread.has(name)) errors.push({ field: name, details: REQUIRED });
      continue;
    }
    if (isBuiltIn && plan.computedIfBuiltIn?.includes(name)) continue;
    const { normal = (value: CellValue): Normal => ({ value }) } = plan.fields?.[name] ?? {};
    const currentValue = present?.[name];
    const before = currentValue === undefined ? undefined : normal(currentValue, undefined);
    const from = before && 'value' in before ? before.value : null;
    const error = errorOf(field, given);
    const after = error === undefined ? normal(given, currentValue) : { value: given };
    if ('errors' in after) {
      for (const details of after.errors) errors.push({ field: name, details });
      if (after.readable !== undefined) changes[name] = { from, to: after.readable };
      continue;
    }
    const { value: to } = after;
    // An unchanged value stays, even if it exceeds a limit that is newer.
    if (present && (error === undefined ? same(column, from, to) : isDeepStrictEqual(to, currentValue))) continue;
    const details =
      (present && errorOfChange(plan, isBuiltIn, name)) ??
      plan.flagError?.(actor, { [name]: to }, !present)?.message ??
      error;
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
