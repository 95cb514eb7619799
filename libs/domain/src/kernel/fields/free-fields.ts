import type { FieldMessages } from '../domain-errors.js';
import { checkText, type FieldCheck, listOf, tooManyEntries, unstorableTextError } from './field-checks.js';
import { field, type FieldOptions } from './field.js';
import { objectCheck } from './fields.js';

// Fields whose structure the caller chooses.

/** Limits of an object with arbitrary names. */
const CUSTOM_ATTRIBUTE_LIMITS = { names: 100, nameLength: 100, textLength: 10_000, listLength: 100 };

function checkCustomAttribute(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'A valid number is required.';
  if (typeof value === 'string') return checkText(value, { maximum: CUSTOM_ATTRIBUTE_LIMITS.textLength, blank: true });
  if (!Array.isArray(value)) return 'Must be a string, a number, true, false, null, or a list of these.';
  if (value.length > CUSTOM_ATTRIBUTE_LIMITS.listLength) return tooManyEntries(CUSTOM_ATTRIBUTE_LIMITS.listLength);
  const entries: readonly unknown[] = value;
  return entries
    .map((entry) => (Array.isArray(entry) ? 'Lists may not contain lists.' : checkCustomAttribute(entry)))
    .find(Boolean);
}

/** Validation error of an object of custom attributes as a whole, or of one of its names. */
function checkNames(value: unknown): string | undefined {
  const error = objectCheck()(value);
  if (error !== undefined) return error;
  const names = Object.keys(value as object);
  if (names.length > CUSTOM_ATTRIBUTE_LIMITS.names)
    return `Ensure this field has no more than ${CUSTOM_ATTRIBUTE_LIMITS.names} names.`;
  for (const name of names) {
    const error = checkText(name, { maximum: CUSTOM_ATTRIBUTE_LIMITS.nameLength, blank: false });
    if (error !== undefined) return `${JSON.stringify(name.slice(0, CUSTOM_ATTRIBUTE_LIMITS.nameLength))}: ${error}`;
  }
  return undefined;
}

/** Validation errors of custom attributes, by name, if all names are valid. */
function customAttributeErrors(facts: Readonly<Record<string, unknown>>): FieldMessages | undefined {
  if (checkNames(facts) !== undefined) return undefined;
  const errors = Object.entries(facts).flatMap(([name, fact]) => {
    const error = checkCustomAttribute(fact);
    return error === undefined ? [] : [[name, [error]] as const];
  });
  return errors.length ? Object.fromEntries(errors) : undefined;
}

/** An object with arbitrary names. Its values are texts, numbers, booleans, null, or lists of these. */
export const openObject = <Optional extends boolean = false>(options: FieldOptions<Optional, false> = {}) =>
  field<Readonly<Record<string, unknown>>, Optional, false>(
    { type: 'free', schema: { type: 'object', additionalProperties: true }, contentErrors: customAttributeErrors },
    options,
    checkNames,
  );

/** A JSON object with its own structure; `contentErrors` returns its validation errors in the same structure. */
export const jsonObject = <Optional extends boolean = false>(
  schema: object,
  contentErrors: (value: Readonly<Record<string, unknown>>) => FieldMessages | undefined,
  options: FieldOptions<Optional, false>,
) =>
  field<Readonly<Record<string, unknown>>, Optional, false>(
    { type: 'free', schema, contentErrors },
    options,
    objectCheck('Expected an object.'),
  );

/** The error message of a JSON value that cannot be stored; checks texts, numbers and names at any depth. */
export function unstorableError(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'A valid number is required.';
  if (typeof value === 'string') return unstorableTextError(value);
  if (typeof value !== 'object' || value === null) return undefined;
  // The keys of an object are texts as well; those of a list are its indexes.
  return [...Object.keys(value), ...(Object.values(value) as unknown[])].map(unstorableError).find(Boolean);
}

/** Maximum length of an arbitrary value as JSON. */
const MAX_ANYTHING_LENGTH = 1_000_000;

/** Maximum number of values in an arbitrary value, at any depth: each takes far more memory than its JSON. */
const MAX_ANYTHING_VALUES = 5000;

/** The number of values in a JSON value, including itself. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return (Object.values(value) as unknown[]).reduce<number>((sum, entry) => sum + countValues(entry), 1);
}

const checkAnyJson: FieldCheck = (value) => {
  if (countValues(value) > MAX_ANYTHING_VALUES)
    return `Ensure this field has no more than ${MAX_ANYTHING_VALUES} values.`;
  return JSON.stringify(value).length > MAX_ANYTHING_LENGTH
    ? `Ensure this field has no more than ${MAX_ANYTHING_LENGTH} characters.`
    : unstorableError(value);
};

/** Any JSON value, stored unchanged. */
export const anyJson = (options: FieldOptions<false, false> = {}) => {
  const types = ['object', 'array', 'string', 'number', 'boolean'];
  const oneOf = types.map((type) => ({ type, ...(type === 'array' && { items: {} }) }));
  return field<unknown, false, false>({ type: 'free', schema: { oneOf } }, options, checkAnyJson);
};

/** A list of at most `longest` arbitrary values; the command checks them. */
export const freeList = (items: object, longest: number, options: FieldOptions<false, false>) =>
  field<readonly unknown[], false, false>(
    { type: 'free', schema: { type: 'array', items, maxItems: longest } },
    options,
    listOf(() => undefined, longest),
  );
