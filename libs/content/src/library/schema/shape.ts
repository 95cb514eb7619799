import { isLonger } from '#domain/kernel/fields/field-checks.js';

/** Validates a value that was read from a file, and reports all errors instead of only the first. */
export interface Shape<T> {
  /** The errors, each beginning with its path; empty if the value is a `T`. */
  readonly errors: (value: unknown, path: string) => string[];
  /** Never set; it carries the type. */
  readonly type?: T;
}

/** The type of valid values. */
export type TypeOf<S> = S extends Shape<infer T> ? T : never;

const simple = <T>(sentence: string, holds: (value: unknown) => boolean): Shape<T> => ({
  errors: (value, path) => (holds(value) ? [] : [`${path}: ${sentence}`]),
});

const isText = (value: unknown, maximum: number): value is string =>
  typeof value === 'string' && value !== '' && !isLonger(value, maximum) && value === value.trim();

/** One line of text, without leading or trailing blanks. */
export const line = (maximum: number): Shape<string> =>
  simple(
    `must be one line of 1 to ${maximum} characters without surrounding spaces`,
    (value) => isText(value, maximum) && !/\p{Cc}/u.test(value),
  );

/** CommonMark of several lines, without leading or trailing blanks. */
export const markdown = (maximum: number): Shape<string> =>
  simple(
    `must be text of 1 to ${maximum} characters without surrounding spaces or control characters`,
    (value) => isText(value, maximum) && !/[^\P{Cc}\n]/u.test(value),
  );

/** Text that matches a pattern; `what` completes the sentence "must be …". */
export const matching = (form: RegExp, what: string): Shape<string> =>
  simple(`must be ${what}`, (value) => typeof value === 'string' && form.test(value));

/** One line of text that passes a check; `what` completes the sentence "must be …". */
export const lineThat = (holds: (text: string) => boolean, maximum: number, what: string): Shape<string> =>
  simple(`must be ${what}`, (value) => isText(value, maximum) && !/\p{Cc}/u.test(value) && holds(value));

/** An integer between two bounds, inclusive. Digits in quotes are invalid. */
export const integer = (minimum: number, maximum: number): Shape<number> =>
  simple(
    `must be a whole number from ${minimum} to ${maximum}`,
    (value) => Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  );

export const boolean: Shape<boolean> = simple('must be true or false', (value) => typeof value === 'boolean');

/** One of these texts. */
export const oneOf = <const T extends string>(values: readonly T[]): Shape<T> =>
  simple(`must be one of: ${values.join(', ')}`, (value) => values.some((candidate) => candidate === value));

/** The same shape, or null. */
export const nullable = <T>(shape: Shape<T>): Shape<T | null> => ({
  errors: (value, path) => (value === null ? [] : shape.errors(value, path)),
});

/** A list; with `distinct`, its entries are scalars without duplicates. */
export const list = <T>(entry: Shape<T>, { distinct = false, minimum = 0 } = {}): Shape<readonly T[]> => ({
  errors: (value, path) => {
    if (!Array.isArray(value)) return [`${path}: must be a list`];
    const entries: readonly unknown[] = value;
    const errors = entries.flatMap((element, index) => entry.errors(element, `${path}[${index}]`));
    if (entries.length < minimum) errors.push(`${path}: must have at least ${minimum} entries`);
    if (distinct && new Set(entries).size < entries.length) errors.push(`${path}: must not contain duplicates`);
    return errors;
  },
});

type Fields = Readonly<Record<string, Shape<unknown>>>;

/** A mapping with exactly these keys. */
export const object = <F extends Fields>(fields: F): Shape<{ readonly [K in keyof F]: TypeOf<F[K]> }> =>
  objectWith(fields, {});

/** A mapping with these keys, and others that may be absent. */
export const objectWith = <F extends Fields, O extends Fields>(
  fields: F,
  optional: O,
): Shape<{ readonly [K in keyof F]: TypeOf<F[K]> } & { readonly [K in keyof O]?: TypeOf<O[K]> }> => ({
  errors: (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: must be a mapping`];
    const present = new Map(Object.entries(value));
    const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
    const shapes = { ...optional, ...fields };
    const errors = Object.entries(shapes).flatMap(([key, shape]) => {
      if (present.has(key)) return shape.errors(present.get(key), below(key));
      return Object.hasOwn(fields, key) ? [`${below(key)}: is missing`] : [];
    });
    const unknown = [...present.keys()].filter((key) => !Object.hasOwn(shapes, key));
    return [...errors, ...unknown.map((key) => `${below(key)}: is unknown`)];
  },
});
