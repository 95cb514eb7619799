import type { Json } from '../support/client.js';

/** An item as the API returns it, with all includes. */
export type Row = { readonly [field: string]: Json };

/** A value of a filter parameter, and the rows that it must find. */
export interface FilterCase {
  readonly parameter: string;
  readonly value: string | readonly string[];
  readonly matches: (row: Row) => boolean;
}

/** A filter according to the specification: its suffixes, their meaning, and the values that are rejected. */
export interface FilterContract {
  readonly suffixes: readonly string[];
  /** Cases with values that rows have, and with values that no row has. */
  cases(name: string, rows: readonly Row[]): FilterCase[];
  /** Values that are rejected with 400, by suffix. */
  readonly invalid: Readonly<Record<string, readonly string[]>>;
  /** Whether the parameter without a suffix may be given several times. */
  readonly repeatable?: boolean;
  /** A valid value of the parameter without a suffix, whatever the rows are. */
  readonly valid: string;
}

type Value = string | number | boolean | null;
type ValueOf<T extends Value> = (row: Row) => T | null;

/** Up to three different values of rows: the smallest, the middle and the largest one. */
function samples<T extends Value>(rows: readonly Row[], valueOf: ValueOf<T>): T[] {
  const values = [...new Set(rows.map(valueOf).filter((value) => value !== null))].sort((a, b) => (a < b ? -1 : 1));
  const indices = [0, Math.floor(values.length / 2), values.length - 1];
  return [...new Set(indices)].flatMap((index) => (index >= 0 && index < values.length ? [values[index] as T] : []));
}

const same =
  <T extends Value>(valueOf: ValueOf<T>, expected: T) =>
  (row: Row): boolean =>
    valueOf(row) === expected;

const anyOf =
  <T extends Value>(valueOf: ValueOf<T>, expected: readonly T[]) =>
  (row: Row): boolean => {
    const value = valueOf(row);
    return value !== null && expected.includes(value);
  };

const compared =
  <T extends Value>(valueOf: ValueOf<T>, holds: (value: T) => boolean) =>
  (row: Row): boolean => {
    const value = valueOf(row);
    return value !== null && holds(value);
  };

const nullCases = (name: string, valueOf: ValueOf<Value>): FilterCase[] => [
  { parameter: `${name}__isnull`, value: 'true', matches: (row) => valueOf(row) === null },
  { parameter: `${name}__isnull`, value: 'False', matches: (row) => valueOf(row) !== null },
];

/** A part from the middle of a text. */
const middleOf = (text: string): string =>
  text.slice(Math.floor(text.length / 3), Math.floor((2 * text.length) / 3) + 1);

const withoutComma = (values: readonly string[]): string[] =>
  values.filter((value) => !value.includes(',') && value.trim() === value);

const NO_SUCH_VALUE = 'No such value';

function textCases(name: string, rows: readonly Row[], valueOf: ValueOf<string>, open: boolean): FilterCase[] {
  // An empty parameter counts as not set.
  const values = samples(rows, valueOf).filter((value) => value !== '');
  const withSpecialCharacters = rows.map(valueOf).filter((value) => value !== null && /[%_\\]/.test(value)) as string[];
  const absent = open ? [NO_SUCH_VALUE] : [];
  const some = [...values, ...withSpecialCharacters.slice(0, 3), ...absent];
  const parts = [...some.map(middleOf), ...(open ? ['%', '_', '\\', 'é'] : [])].filter((part) => part.trim() !== '');
  const lists = [withoutComma(some), withoutComma(values.slice(0, 1)), withoutComma(absent)].filter(
    (list) => list.length,
  );
  return [
    ...some.map((value) => ({ parameter: name, value, matches: same(valueOf, value) })),
    ...lists.map((list) => ({ parameter: `${name}__in`, value: list.join(','), matches: anyOf(valueOf, list) })),
    ...some.map((value) => ({
      parameter: `${name}__iexact`,
      value: value.toUpperCase(),
      matches: compared(valueOf, (text: string) => text.toLowerCase() === value.toLowerCase()),
    })),
    ...parts.map((part) => ({
      parameter: `${name}__icontains`,
      value: part.toUpperCase(),
      matches: compared(valueOf, (text: string) => text.toLowerCase().includes(part.toLowerCase())),
    })),
    ...nullCases(name, valueOf),
  ];
}

/** A text: exact, one of several, case-insensitive, or a part of it. */
export const text = (field: string | ValueOf<string>): FilterContract => {
  const valueOf = typeof field === 'string' ? (row: Row) => row[field] as string | null : field;
  return {
    suffixes: ['', '__in', '__iexact', '__icontains', '__isnull'],
    cases: (name, rows) => textCases(name, rows, valueOf, true),
    invalid: { __isnull: ['maybe', '2'] },
    valid: 'x',
  };
};

/** The public id of a row or of a referenced item. No row has the id `absent`. Malformed ids are rejected. */
export const publicId = (absent: string, field = 'id'): FilterContract => {
  const asText = text(field);
  return {
    ...asText,
    cases: (name, rows) =>
      asText.cases(name, rows).map((one) => ({ ...one, value: String(one.value).replace(NO_SUCH_VALUE, absent) })),
    invalid: { ...asText.invalid, '': ['5', 'x', 'XX1', `${absent},x`], __in: [`${absent},XX1`] },
    valid: absent,
  };
};

const inOtherCase = (word: string): string => (word === word.toLowerCase() ? word.toUpperCase() : word.toLowerCase());

/** One of a closed set, case-insensitive. */
export const choice = (field: string, choices: readonly string[]): FilterContract => {
  const valueOf = (row: Row): string => row[field] as string;
  return {
    suffixes: ['', '__in', '__iexact', '__icontains', '__isnull'],
    cases: (name, rows) => [
      ...choices.map((value) => ({ parameter: name, value, matches: same(valueOf, value) })),
      ...choices.map((value) => ({ parameter: name, value: inOtherCase(value), matches: same(valueOf, value) })),
      { parameter: `${name}__in`, value: choices.slice(0, 2).join(','), matches: anyOf(valueOf, choices.slice(0, 2)) },
      { parameter: `${name}__in`, value: choices.join(' , '), matches: () => true },
      ...textCases(name, rows, valueOf, false).filter(({ parameter }) => /__i(exact|contains|snull)$/.test(parameter)),
    ],
    invalid: {
      '': ['Bogus', `${choices[0]},Bogus`],
      __in: ['Bogus', `${choices[0]},Bogus`],
      __isnull: ['maybe'],
    },
    valid: choices[0] ?? '',
  };
};

/** A boolean, in each of its spellings. */
export const boolean = (field: string | ValueOf<boolean>): FilterContract => {
  const valueOf = typeof field === 'string' ? (row: Row) => row[field] as boolean | null : field;
  const spelled = [
    ...['true', 'True', '1'].map((value) => [value, true] as const),
    ...['false', 'False', '0'].map((value) => [value, false] as const),
  ];
  return {
    suffixes: ['', '__in', '__isnull'],
    cases: (name) => [
      ...spelled.map(([value, expected]) => ({ parameter: name, value, matches: same(valueOf, expected) })),
      { parameter: `${name}__in`, value: 'true,false', matches: compared(valueOf, () => true) },
      { parameter: `${name}__in`, value: 'false', matches: same(valueOf, false) },
      ...nullCases(name, valueOf),
    ],
    invalid: { '': ['maybe', '2', 'truee', 'true,false'], __in: ['true,maybe'], __isnull: ['x'] },
    valid: 'true',
  };
};

/** An integer; values outside of its bounds, if it has any, are rejected. */
export const integer = (
  field: string | ValueOf<number>,
  bounds?: { minimum: number; maximum: number },
): FilterContract => {
  const valueOf = typeof field === 'string' ? (row: Row) => row[field] as number | null : field;
  const comparisons: Record<string, (limit: number) => (value: number) => boolean> = {
    __gt: (limit) => (value) => value > limit,
    __gte: (limit) => (value) => value >= limit,
    __lt: (limit) => (value) => value < limit,
    __lte: (limit) => (value) => value <= limit,
  };
  const notNumbers = ['x', '1.5', '1e3', '0x10', '--1', '5;', '٣'];
  const outside = bounds ? [String(bounds.minimum - 1), String(bounds.maximum + 1), '9'.repeat(40)] : [];
  const suffixes = ['', '__in', ...Object.keys(comparisons), '__isnull'];
  return {
    suffixes,
    cases: (name, rows) => {
      const values = samples(rows, valueOf);
      const absent = bounds ? [] : [-999_999_999];
      const some = [...values, ...absent];
      const huge = bounds ? [] : ['9'.repeat(40)];
      return [
        ...some.map((value) => ({ parameter: name, value: String(value), matches: same(valueOf, value) })),
        ...huge.map((value) => ({ parameter: name, value, matches: () => false })),
        { parameter: `${name}__in`, value: some.join(','), matches: anyOf(valueOf, some) },
        ...Object.entries(comparisons).flatMap(([suffix, holds]) => [
          ...some.map((value) => ({
            parameter: name + suffix,
            value: String(value),
            matches: compared(valueOf, holds(value)),
          })),
          ...huge.map((value) => ({ parameter: name + suffix, value, matches: compared(valueOf, holds(Infinity)) })),
        ]),
        ...nullCases(name, valueOf),
      ];
    },
    invalid: Object.fromEntries(
      suffixes.map((suffix) => {
        if (suffix === '__isnull') return [suffix, ['2']];
        if (suffix === '__in') return [suffix, ['1,x', ...outside]];
        return [suffix, [...notNumbers, '1,2', ...outside]];
      }),
    ),
    valid: bounds ? String(bounds.maximum) : '1',
  };
};

/** The instant of a timestamp with six digits, in microseconds. */
export const microseconds = (timestamp: string): bigint => {
  const [, seconds = '', fraction = '', offset = ''] = /^(.{19})\.(\d{6})(.+)$/.exec(timestamp) ?? [];
  return BigInt(Date.parse(seconds + offset)) * 1000n + BigInt(fraction);
};

/** A time in microseconds. `field` contains it as the API returns it. */
export const time = (field: string): FilterContract => {
  const valueOf = (row: Row): string | null => row[field] as string | null;
  const comparisons: Record<string, (a: bigint, b: bigint) => boolean> = {
    '': (a, b) => a === b,
    __gt: (a, b) => a > b,
    __gte: (a, b) => a >= b,
    __lt: (a, b) => a < b,
    __lte: (a, b) => a <= b,
  };
  const wrong = ['yesterday', '2026-02-30', '2026-01-01T99:00Z', '17'];
  return {
    suffixes: [...Object.keys(comparisons), '__in', '__isnull'],
    cases: (name, rows) => [
      ...Object.entries(comparisons).flatMap(([suffix, holds]) =>
        [...samples(rows, valueOf), '2001-02-03T04:05:06.000007+00:00'].map((time) => ({
          parameter: name + suffix,
          value: time,
          matches: compared(valueOf, (value: string) => holds(microseconds(value), microseconds(time))),
        })),
      ),
      {
        parameter: `${name}__in`,
        value: samples(rows, valueOf).join(','),
        matches: anyOf(valueOf, samples(rows, valueOf)),
      },
      ...nullCases(name, valueOf),
    ],
    invalid: {
      ...Object.fromEntries(Object.keys(comparisons).map((suffix) => [suffix, wrong])),
      __in: ['2026-01-01,x'],
      __isnull: ['x'],
    },
    valid: '2026-01-01T00:00:00Z',
  };
};

/** One end of a period, inclusive. */
export const timeBound = (field: string, end: 'from' | 'to'): FilterContract => {
  const whole = time(field);
  return {
    suffixes: [''],
    cases: (name, rows) =>
      whole
        .cases('x', rows)
        .filter(({ parameter }) => parameter === (end === 'from' ? 'x__gte' : 'x__lte'))
        .map((one) => ({ ...one, parameter: name })),
    invalid: { '': whole.invalid[''] ?? [] },
    valid: whole.valid,
  };
};

/** References of a row, by public id: one id, several, or none. */
export const reference = (field: string | ((row: Row) => Json), absent: string): FilterContract => {
  const idsOf = (row: Row): string[] => {
    const value = typeof field === 'string' ? row[field] : field(row);
    return [value ?? []].flat().map(String);
  };
  const names =
    (expected: readonly string[]) =>
    (row: Row): boolean =>
      idsOf(row).some((id) => expected.includes(id));
  return {
    suffixes: ['', '__in', '__isnull'],
    cases: (name, rows) => {
      const ids = [...new Set(rows.flatMap(idsOf))].sort();
      const some = [...new Set([ids[0], ids[Math.floor(ids.length / 2)], ids.at(-1)])].filter((id) => id !== undefined);
      return [
        ...[...some, absent].map((id) => ({ parameter: name, value: id, matches: names([id]) })),
        { parameter: `${name}__in`, value: [...some.slice(0, 2), absent].join(','), matches: names(some.slice(0, 2)) },
        { parameter: `${name}__in`, value: absent, matches: () => false },
        { parameter: `${name}__isnull`, value: 'true', matches: (row) => idsOf(row).length === 0 },
        { parameter: `${name}__isnull`, value: 'false', matches: (row) => idsOf(row).length > 0 },
      ];
    },
    invalid: {
      __isnull: ['x'],
      // The letters of a public id determine the kind: an id with other letters is malformed.
      ...(/^C?[A-Z]+\d+$/.test(absent) && { '': ['5', `${absent},x`], __in: [`${absent},XX1`] }),
    },
    valid: absent,
  };
};

/** References of a row, by name: exact, case-insensitive, or a part of the name. */
export const namedReference = (field: string | ((row: Row) => string[]), absent: string): FilterContract => {
  const byName = reference(field, absent);
  const namesOf = (row: Row): string[] => (typeof field === 'string' ? (row[field] as string[]) : field(row));
  return {
    ...byName,
    suffixes: [...byName.suffixes, '__iexact', '__icontains'],
    cases: (name, rows) => [
      ...byName.cases(name, rows),
      ...[rows.flatMap(namesOf)[0] ?? absent, absent].flatMap((value) => withoutCase(name, value, namesOf)),
    ],
  };
};

/** Cases of a list of texts: one of them equals or contains a value, case-insensitive. */
const withoutCase = (name: string, value: string, valuesOf: (row: Row) => string[]): FilterCase[] => {
  const [whole, part] = [value.toLowerCase(), (value.slice(1) || value).toLowerCase()];
  const has = (test: (text: string) => boolean) => (row: Row) => valuesOf(row).some((text) => test(text.toLowerCase()));
  return [
    { parameter: `${name}__iexact`, value: value.toUpperCase(), matches: has((text) => text === whole) },
    { parameter: `${name}__icontains`, value: part.toUpperCase(), matches: has((text) => text.includes(part)) },
  ];
};

/** Matches rows with any of the given values. A repeatable filter accepts them in several parameters. */
export const element = (field: string, options: { integers?: boolean; repeatable?: boolean } = {}): FilterContract => {
  const valuesOf = (row: Row): string[] => ((row[field] as Json[] | null) ?? []).map(String);
  const has =
    (expected: readonly string[]) =>
    (row: Row): boolean =>
      valuesOf(row).some((value) => expected.includes(value));
  const absent = options.integers ? '999999999' : 'no such value';
  return {
    suffixes: ['', '__in', ...(options.integers ? [] : ['__iexact', '__icontains']), '__isnull'],
    cases: (name, rows) => {
      const all = [...new Set(rows.flatMap(valuesOf))].sort();
      const some = [...new Set([all[0], all[Math.floor(all.length / 2)], all.at(-1)])].filter(
        (value) => value !== undefined,
      );
      const listed = withoutComma(some);
      return [
        ...[...some, absent].map((value) => ({ parameter: name, value, matches: has([value]) })),
        ...(options.repeatable ? [{ parameter: name, value: [...some, absent], matches: has(some) }] : []),
        { parameter: `${name}__in`, value: [...listed, absent].join(','), matches: has(listed) },
        ...(options.integers ? [] : [...some, absent].flatMap((value) => withoutCase(name, value, valuesOf))),
        { parameter: `${name}__isnull`, value: 'true', matches: (row: Row) => valuesOf(row).length === 0 },
        { parameter: `${name}__isnull`, value: 'false', matches: (row: Row) => valuesOf(row).length > 0 },
      ];
    },
    invalid: { ...(options.integers && { '': ['x', '1.5'], __in: ['1,x'] }), __isnull: ['x'] },
    ...(options.repeatable && { repeatable: true }),
    valid: absent,
  };
};

/** A switch among the filters: it changes fields, but finds all rows. */
export const form: FilterContract = {
  suffixes: [''],
  cases: (name) => ['true', 'False'].map((value) => ({ parameter: name, value, matches: () => true })),
  invalid: { '': ['maybe', '2', 'true,false'] },
  valid: 'true',
};
