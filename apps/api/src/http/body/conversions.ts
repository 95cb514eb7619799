import { Transform } from 'class-transformer';
import { asBoolean, cleanLine } from '#domain/kernel/fields/field-checks.js';
import type { Field } from '#domain/kernel/fields/field.js';
import { timestampError } from '#domain/kernel/fields/fields.js';
import { parseTimestamp } from '#query/values.js';

const wholeNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^[+-]?\d{1,400}$/.test(value.trim()) ? Number(value) : value;

const wholeNumbers = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((entry: unknown) => (typeof entry === 'string' && /^\d{1,15}$/.test(entry) ? Number(entry) : entry))
    : value;

const inDatabaseSpelling = (value: unknown): unknown =>
  typeof value === 'string' && timestampError(value.trim()) === undefined ? parseTimestamp(value.trim()) : value;

const cleaned = (value: unknown): unknown => (typeof value === 'string' ? cleanLine(value) : value);

/** The pipe wraps the caller's values in functions, so that no library walks into them. */
const unwrapped = (value: unknown): unknown => (typeof value === 'function' ? (value as () => unknown)() : value);

const CONVERSIONS: Readonly<Partial<Record<Field['type'], (value: unknown) => unknown>>> = {
  integer: wholeNumber,
  'numeric reference': wholeNumber,
  integers: wholeNumbers,
  boolean: asBoolean,
  timestamp: inDatabaseSpelling,
  free: unwrapped,
};

/** Conversions of a value before it is validated. */
export function conversionsOf(field: Field): PropertyDecorator[] {
  const convert = field.type === 'text' && field.trimmed ? cleaned : CONVERSIONS[field.type];
  return convert ? [Transform(({ value }: { value: unknown }) => convert(value))] : [];
}
