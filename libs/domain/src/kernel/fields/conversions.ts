import { parseTimestamp } from '#query/values.js';
import { cleanLine } from './field-checks.js';
import type { Field } from './field.js';
import { timestampError } from './fields.js';

type Conversion = (value: unknown) => unknown;

const wholeNumber: Conversion = (value) =>
  typeof value === 'string' && /^[+-]?\d{1,400}$/.test(value.trim()) ? Number(value) : value;

const wholeNumbers: Conversion = (value) =>
  Array.isArray(value)
    ? value.map((entry: unknown) => (typeof entry === 'string' && /^\d{1,15}$/.test(entry) ? Number(entry) : entry))
    : value;

/** The texts `true` and `false` in any case. */
const truthValue: Conversion = (value) =>
  typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value;

const inDatabaseSpelling: Conversion = (value) =>
  typeof value === 'string' && timestampError(value.trim()) === undefined ? parseTimestamp(value.trim()) : value;

const cleaned: Conversion = (value) => (typeof value === 'string' ? cleanLine(value) : value);

const CONVERSIONS: Readonly<Partial<Record<Field['type'], Conversion>>> = {
  integer: wholeNumber,
  'numeric reference': wholeNumber,
  integers: wholeNumbers,
  boolean: truthValue,
  timestamp: inDatabaseSpelling,
};

/** The conversion of a field: of a value that users write in several ways, before it is checked. */
export const conversionOf = (field: Field): Conversion | undefined =>
  field.type === 'text' && field.trimmed ? cleaned : CONVERSIONS[field.type];

/** The value that is checked and stored. Invalid values stay as they are. */
export const converted = (field: Field, value: unknown): unknown => conversionOf(field)?.(value) ?? value;
