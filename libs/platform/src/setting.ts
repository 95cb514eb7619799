import { BlockList, isIP } from 'node:net';

import { z } from 'zod';

/** The documentation of a setting, for `.env.example` and error messages. */
export interface SettingDocumentation {
  /** One or two sentences for the person who sets it. */
  readonly about: string;
  /** The form of the value, in words. */
  readonly form: string;
  /** The default text of an unset variable; undefined if it has none. */
  readonly default?: string;
  /** The value must never appear in an error, a log or `.env.example`. */
  readonly secret?: boolean;
}

/** The documentation of every setting, by its schema. */
export const documentation = z.registry<SettingDocumentation>();

/**
 * A whole number within bounds.
 *
 * @param options the default, the minimum and maximum, and the documentation
 * @returns its schema, which parses the variable's text
 */
export function integer(options: { default: number; min: number; max: number; about: string }) {
  const form = `a whole number from ${options.min} to ${options.max}`;
  const error = `must be ${form}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .pipe(z.number().min(options.min, { error }).max(options.max, { error }))
    .prefault(String(options.default))
    .register(documentation, { about: options.about, form, default: String(options.default) });
}

/**
 * A comma-separated list of numbers within bounds, such as 0.5.
 *
 * @param options the default as text, the minimum and maximum, and the documentation
 * @returns its schema, which parses the variable's text
 */
export function numbers(options: { default: string; min: number; max: number; about: string }) {
  const form = `a comma-separated list of numbers from ${options.min} to ${options.max}`;
  const error = `must be ${form}`;
  const entry = z
    .string()
    .regex(/^\d{1,9}(\.\d{1,3})?$/, { error })
    .transform(Number)
    .pipe(z.number().min(options.min, { error }).max(options.max, { error }));
  return z
    .string()
    .transform(commaSeparated)
    .pipe(z.array(entry))
    .readonly()
    .prefault(options.default)
    .register(documentation, { about: options.about, form, default: options.default });
}

/**
 * `true` or `false`, in any case, or `1` or `0`.
 *
 * @param options the default and the documentation
 * @returns its schema, which parses the variable's text
 */
export function boolean(options: { default: boolean; about: string }) {
  const form = 'true or false';
  return z
    .stringbool({ truthy: ['true', '1'], falsy: ['false', '0'], error: `must be ${form}` })
    .prefault(String(options.default))
    .register(documentation, { about: options.about, form, default: String(options.default) });
}

/**
 * One of a fixed set of words.
 *
 * @param options the words, the default and the documentation
 * @returns its schema, which parses the variable's text
 */
export function oneOf<const Words extends readonly string[]>(options: {
  words: Words;
  default: NoInfer<Words[number]>;
  about: string;
}) {
  const form = `one of ${options.words.join(', ')}`;
  return z
    .enum(options.words, { error: `must be ${form}` })
    .prefault(options.default)
    .register(documentation, { about: options.about, form, default: options.default });
}

/**
 * A text of a certain form.
 *
 * @param options a description of the form; whether a text has it; the default and the documentation
 * @returns its schema, which parses the variable's text
 */
export function text(options: { form: string; about: string; default: string; matches: (text: string) => boolean }) {
  const { about, form } = options;
  return z
    .string()
    .refine(options.matches, { error: `must be ${form}` })
    .prefault(options.default)
    .register(documentation, { about, form, default: options.default });
}

/**
 * A secret of at least `min` characters. It has no default, and its value never appears in an error.
 *
 * @param options the minimum length in characters, whether it is sent in an HTTP header, and the documentation
 * @returns its schema; undefined when the variable is unset
 */
export function secret(options: { min: number; header?: boolean; about: string }) {
  const atLeast = `at least ${options.min} characters`;
  const long = z.string().refine((value) => Array.from(value).length >= options.min, { error: `must have ${atLeast}` });
  const error = 'must be printable ASCII without spaces, because it is sent in an HTTP header';
  const schema = options.header === true ? long.regex(/^[\x21-\x7e]+$/, { error }) : long;
  const form = `${atLeast}${options.header === true ? ', printable ASCII without spaces' : ''}`;
  return schema.optional().register(documentation, { about: options.about, form, secret: true });
}

/**
 * A URL with one of some schemes. It may contain a password, so its value never appears in an error.
 *
 * @param options the schemes, without a colon; the documentation; a further check, which returns the error without the
 *   value, or undefined
 * @returns its schema; undefined when the variable is unset
 */
export function url(options: {
  schemes: readonly string[];
  about: string;
  check?: (text: string) => string | undefined;
}) {
  const { schema, form } = urlSchema(options.schemes);
  const checked = schema.superRefine((value, context) => {
    const error = options.check?.(value);
    if (error !== undefined) context.addIssue(error);
  });
  return checked.optional().register(documentation, { about: options.about, form, secret: true });
}

/**
 * The address of a web service: no user, query or fragment; trailing slashes are removed.
 *
 * @param options the documentation
 * @returns its schema; undefined when the variable is unset
 */
export function webAddress(options: { about: string }) {
  const { schema, form } = urlSchema(['http', 'https']);
  return schema
    .refine((value) => isBare(new URL(value)), { error: 'must not have a user, query or fragment' })
    .transform((value) => value.replace(/(?<!\/)\/+$/, ''))
    .optional()
    .register(documentation, { about: options.about, form });
}

function urlSchema(schemes: readonly string[]) {
  const form = `a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  const protocol = new RegExp(`^(${schemes.join('|')})$`);
  return { schema: z.url({ protocol, error: `must be ${form}`, abort: true }), form };
}

function isBare({ search, hash, username, password }: URL): boolean {
  return [search, hash, username, password].every((part) => part === '');
}

/**
 * A comma-separated list; blanks around an entry are ignored, and empty entries are dropped.
 *
 * @param options a description of the form; a parser for one entry, which returns undefined if it is not valid; the
 *   default as text; the documentation
 * @returns its schema; an unset variable without a default is an empty list
 */
export function list(options: {
  form: string;
  default?: string;
  about: string;
  entry: (text: string) => string | undefined;
}) {
  const entry = z.string().transform((part, context) => {
    const value = options.entry(part);
    if (value === undefined) context.addIssue(`must be ${options.form}; "${part}" is not valid`);
    return value ?? z.NEVER;
  });
  const fallback = options.default ?? '';
  return z
    .string()
    .transform((value) => commaSeparated(value).filter((part) => part !== ''))
    .pipe(z.array(entry))
    .readonly()
    .prefault(fallback)
    .register(documentation, { about: options.about, form: options.form, default: fallback });
}

function commaSeparated(value: string): string[] {
  return value.split(',').map((part) => part.trim());
}

/**
 * Parses `host` or `host:port`.
 *
 * @param text the text of one list entry
 * @returns the entry in lower case, or undefined if it is neither
 */
export function hostEntry(text: string): string | undefined {
  const match = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(text);
  const port = Number(match?.[2] ?? 443);
  return match !== null && port >= 1 && port <= 65_535 ? text.toLowerCase() : undefined;
}

/**
 * Parses an origin in the form in which browsers send it: scheme and host, no path.
 *
 * @param text the text of one list entry
 * @returns the origin, or undefined if it is not one
 */
export function originEntry(text: string): string | undefined {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol)) return undefined;
  return parsed.origin === text.toLowerCase() ? parsed.origin : undefined;
}

/**
 * Parses a value of express's `trust proxy`: an address, a CIDR, or the name of a group of addresses.
 *
 * @param text the text of one list entry
 * @returns the entry, or undefined if it is none of these
 */
export function proxyEntry(text: string): string | undefined {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return text;
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return undefined;
  if (prefix === undefined) return text;
  if (!/^\d{1,3}$/.test(prefix)) return undefined;
  try {
    new BlockList().addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
    return text;
  } catch {
    return undefined; // the prefix is longer than the address
  }
}

/**
 * Checks the name of a time zone.
 *
 * @param text an IANA name such as `Europe/Berlin`
 * @returns whether there is such a time zone
 */
export function isTimeZone(text: string): boolean {
  // Intl also accepts bare offsets such as "+01:00", which PostgreSQL interprets with the opposite sign.
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
