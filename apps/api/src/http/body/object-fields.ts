import { applyDecorators, type Type as Class } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type { FieldMessages } from '#domain/kernel/domain-errors.js';
import { checkText, tooManyEntries } from '#domain/kernel/field-checks.js';
import { field, type FieldOptions, free } from './field.js';
import { objects, satisfying } from './rules.js';
import { unstorable } from './scalar-fields.js';

/** One object of another body class; `expected` says so where something else is sent. */
export const Nested = (
  type: () => Class<object>,
  options: FieldOptions & { readonly expected?: string } = {},
): PropertyDecorator =>
  applyDecorators(
    Type(type),
    field(options, { type: type() }, objects(options.expected), { nested: type, single: true }),
    ValidateNested(),
  );

/** Limits of an object whose keys the caller chooses. */
const FACTS = { names: 100, nameLength: 100, textLength: 10_000, listLength: 100 };

function checkFact(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'A valid number is required.';
  if (typeof value === 'string') return checkText(value, { maximum: FACTS.textLength, blank: true });
  if (!Array.isArray(value)) return 'Not a valid value: a text, a number, true, false, null, or a list of these.';
  if (value.length > FACTS.listLength) return tooManyEntries(FACTS.listLength);
  const entries: readonly unknown[] = value;
  return entries.map((entry) => (Array.isArray(entry) ? 'Lists may not hold lists.' : checkFact(entry))).find(Boolean);
}

/** Checks the object itself and its names; returns the first error. */
function checkNames(value: unknown): string | undefined {
  const problem = objects().check(value);
  if (problem !== undefined) return problem;
  const names = Object.keys(value as object);
  if (names.length > FACTS.names) return `Ensure this field has no more than ${FACTS.names} names.`;
  for (const name of names) {
    const problem = checkText(name, { maximum: FACTS.nameLength, blank: false });
    if (problem !== undefined) return `${JSON.stringify(name.slice(0, FACTS.nameLength))}: ${problem}`;
  }
  return undefined;
}

/** Errors of the values, by name. Empty if a name is invalid, which `checkNames` reports. */
function problemsOfFacts(facts: Readonly<Record<string, unknown>>): FieldMessages | undefined {
  if (checkNames(facts) !== undefined) return undefined;
  const problems = Object.entries(facts).flatMap(([name, fact]) => {
    const problem = checkFact(fact);
    return problem === undefined ? [] : [[name, [problem]] as const];
  });
  return problems.length ? Object.fromEntries(problems) : undefined;
}

/** An object whose keys the caller chooses. Its values are texts, numbers, true, false, null, and lists of these. */
export const Facts = (options: FieldOptions = {}): PropertyDecorator =>
  free(options, { type: 'object', additionalProperties: true }, satisfying(checkNames), problemsOfFacts);

/**
 * A JSON object with its own schema, stored as it was sent, without conversion. `check` returns its errors in the same
 * structure.
 */
export const JsonObjectField = (
  options: FieldOptions & {
    readonly schema: object;
    readonly check: (value: Readonly<Record<string, unknown>>) => FieldMessages | undefined;
  },
): PropertyDecorator => free(options, options.schema, objects('Expected an object.'), options.check);

/** Characters of a value that is anything, as JSON. */
const ANYTHING_MAXIMUM_LENGTH = 1_000_000;

const anything = satisfying((value) =>
  JSON.stringify(value).length > ANYTHING_MAXIMUM_LENGTH
    ? `Ensure this field has no more than ${ANYTHING_MAXIMUM_LENGTH} characters.`
    : unstorable(value),
);

/** Any JSON value, kept as it is. */
export const Anything = (options: FieldOptions = {}): PropertyDecorator => {
  const types = ['object', 'array', 'string', 'number', 'boolean'];
  const oneOf = types.map((type) => ({ type, ...(type === 'array' && { items: {} }) }));
  return free(options, { oneOf }, anything);
};
