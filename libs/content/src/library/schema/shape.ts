import { z } from 'zod';
import { isLonger } from '#domain/kernel/fields/field-checks.js';

/** A schema of a value that was read from a file. */
export type Shape<T> = z.ZodType<T>;

/** The type of valid values. */
export type TypeOf<S extends z.ZodType> = z.infer<S>;

/** The error of a value, as the end of the sentence that its path begins. */
const error = (sentence: string) => ({
  error: ({ input }: { readonly input?: unknown }) => (input === undefined ? 'is missing' : sentence),
});

/** A value with one error for all that can be wrong with it. The checks of the list around it still run. */
const simple = <T>(sentence: string, holds: (value: unknown) => boolean): Shape<T> =>
  z.custom<T>(holds, { ...error(sentence), abort: false });

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

export const boolean = z.boolean(error('must be true or false'));

/** One of these texts. */
export const oneOf = <const T extends string>(values: readonly T[]) =>
  z.enum(values, error(`must be one of: ${values.join(', ')}`));

/** The same shape, or null. */
export const nullable = <T>(shape: Shape<T>) => z.nullable(shape);

/** A list; with `distinct`, its entries are scalars without duplicates. */
export const list = <S extends z.ZodType>(
  entry: S,
  { distinct = false, minimum = 0 } = {},
): Shape<readonly z.infer<S>[]> => {
  // Also if entries are invalid, so that authors see all errors at once.
  const when = ({ value }: { readonly value: unknown }): boolean => Array.isArray(value);
  return z
    .array(entry, error('must be a list'))
    .refine((entries) => entries.length >= minimum, { error: `must have at least ${minimum} entries`, when })
    .refine((entries) => !distinct || new Set(entries).size === entries.length, {
      error: 'must not contain duplicates',
      when,
    });
};

/** A mapping with exactly these keys. */
export const object = <F extends z.ZodRawShape>(fields: F) => z.strictObject(fields, error('must be a mapping'));

type Optional<F extends z.ZodRawShape> = { readonly [K in keyof F]: z.ZodExactOptional<F[K]> };

/** A mapping with these keys, and others that may be absent. */
export const objectWith = <F extends z.ZodRawShape, O extends z.ZodRawShape>(fields: F, optional: O) => {
  const optionalFields = Object.fromEntries(
    Object.entries(optional).map(([key, shape]) => [key, z.exactOptional(shape)]),
  ) as Optional<O>;
  return object({ ...optionalFields, ...fields });
};

const pathOf = (keys: readonly PropertyKey[]): string =>
  keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`;
    return path === '' ? String(key) : `${path}.${String(key)}`;
  }, '');

/** All errors of a value, each beginning with its path; empty if it is valid. */
export const errorsOf = (shape: z.ZodType, value: unknown): string[] =>
  (shape.safeParse(value).error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${pathOf([...issue.path, key])}: is unknown`)
      : [`${pathOf(issue.path)}: ${issue.message}`],
  );
