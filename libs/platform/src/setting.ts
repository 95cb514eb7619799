import { BlockList, isIP } from 'node:net';

/** What a setting's text turned into: its value, or the rest of a sentence that begins with the setting's name. */
export type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

/** One environment variable: how its text is read, and what `.env.example` says about it. */
export interface Setting<Value> {
  /** One or two sentences for the person who sets it. */
  readonly about: string;
  /** The form of the value, in words, for `.env.example`. */
  readonly form: string;
  /** The text that stands in for an unset variable; undefined where unset stays unset. */
  readonly default: string | undefined;
  /** The value must never stand in an error, a log or `.env.example`. */
  readonly secret: boolean;
  /** Reads a text that is not empty. */
  readonly parse: (text: string) => Parsed<Value>;
}

/**
 * A whole number within bounds.
 *
 * @param options its default, the least and the greatest value, and the documentation
 * @returns the setting
 */
export function integer(options: { default: number; min: number; max: number; about: string }): Setting<number> {
  const form = `a whole number from ${options.min} to ${options.max}`;
  return {
    about: options.about,
    form,
    default: String(options.default),
    secret: false,
    parse: (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= options.min && value <= options.max ? { value } : { problem: `must be ${form}` };
    },
  };
}

/**
 * A comma-separated list of numbers within bounds, such as 0.5.
 *
 * @param options its default as text, the least and the greatest value, and the documentation
 * @returns the setting
 */
export function numbers(options: {
  default: string;
  min: number;
  max: number;
  about: string;
}): Setting<readonly number[]> {
  const form = `a comma-separated list of numbers from ${options.min} to ${options.max}`;
  return {
    about: options.about,
    form,
    default: options.default,
    secret: false,
    parse: (text) => {
      const texts = text.split(',').map((part) => part.trim());
      const value = texts.map((part) => (/^\d{1,9}(\.\d{1,3})?$/.test(part) ? Number(part) : Number.NaN));
      return value.every((entry) => entry >= options.min && entry <= options.max)
        ? { value }
        : { problem: `must be ${form}` };
    },
  };
}

/**
 * `true` or `false`, in any case; `1` and `0` count too.
 *
 * @param options its default and the documentation
 * @returns the setting
 */
export function boolean(options: { default: boolean; about: string }): Setting<boolean> {
  return {
    about: options.about,
    form: 'true or false',
    default: String(options.default),
    secret: false,
    parse: (text) => {
      if (/^(true|1)$/i.test(text)) return { value: true };
      if (/^(false|0)$/i.test(text)) return { value: false };
      return { problem: 'must be true or false' };
    },
  };
}

/**
 * One word of a closed set.
 *
 * @param options the words, the default and the documentation
 * @returns the setting
 */
export function oneOf<const Word extends string>(options: {
  words: readonly Word[];
  default: NoInfer<Word>;
  about: string;
}): Setting<Word> {
  const form = `one of ${options.words.join(', ')}`;
  return {
    about: options.about,
    form,
    default: options.default,
    secret: false,
    parse: (text) => {
      const value = options.words.find((word) => word === text);
      return value === undefined ? { problem: `must be ${form}` } : { value };
    },
  };
}

/**
 * A text that `check` accepts.
 *
 * @param options the form in words; the check, which answers what is wrong or undefined; default; whether it is a
 * secret
 * @returns the setting
 */
export function text(options: {
  form: string;
  about: string;
  default: string;
  check: (text: string) => string | undefined;
  secret?: boolean;
}): Setting<string> {
  return {
    about: options.about,
    form: options.form,
    default: options.default,
    secret: options.secret ?? false,
    parse: (value) => {
      const problem = options.check(value);
      return problem === undefined ? { value } : { problem };
    },
  };
}

/**
 * A secret of at least `min` characters. It has no default, and its value stands in no error.
 *
 * @param options the least length in characters, whether it may stand in an HTTP header, and the documentation
 * @returns the setting; undefined when the variable is unset
 */
export function secret(options: { min: number; header?: boolean; about: string }): Setting<string | undefined> {
  const form = `at least ${options.min} characters${options.header === true ? ', printable ASCII without spaces' : ''}`;
  return {
    about: options.about,
    form,
    default: undefined,
    secret: true,
    parse: (value) => {
      if (Array.from(value).length < options.min) return { problem: `must have at least ${options.min} characters` };
      if (options.header === true && !/^[\x21-\x7e]+$/.test(value)) {
        return { problem: 'must be printable ASCII without spaces, since it travels in an HTTP header' };
      }
      return { value };
    },
  };
}

/**
 * A URL with one of some schemes. It may hold a password, so its value stands in no error.
 *
 * @param options the schemes, with their colon; whether the path's last slash is dropped; the documentation; a further
 *   check, which answers what is wrong without the value, or undefined
 * @returns the setting; undefined when the variable is unset
 */
export function url(options: {
  schemes: readonly string[];
  plain?: boolean;
  about: string;
  check?: (text: string) => string | undefined;
}): Setting<string | undefined> {
  const form = `a URL that begins with ${options.schemes.map((scheme) => `${scheme}//`).join(' or ')}`;
  return {
    about: options.about,
    form,
    default: undefined,
    secret: options.plain !== true,
    parse: (value) => {
      const parsed = URL.canParse(value) ? new URL(value) : undefined;
      if (parsed === undefined || !options.schemes.includes(parsed.protocol)) return { problem: `must be ${form}` };
      const problem = options.check?.(value);
      if (problem !== undefined) return { problem };
      if (options.plain !== true) return { value };
      if (parsed.search !== '' || parsed.hash !== '' || parsed.username !== '' || parsed.password !== '') {
        return { problem: 'must have no user, query or fragment' };
      }
      return { value: value.replace(/(?<!\/)\/+$/, '') };
    },
  };
}

/**
 * A comma-separated list; blanks around an entry do not count, and empty entries are dropped.
 *
 * @param options the form of the list in words; how one entry is read (undefined: not valid); the default as text
 * @returns the setting; an unset variable without a default is an empty list
 */
export function list(options: {
  form: string;
  default?: string;
  about: string;
  entry: (text: string) => string | undefined;
}): Setting<readonly string[]> {
  return {
    about: options.about,
    form: options.form,
    default: options.default ?? '',
    secret: false,
    parse: (value) => {
      const texts = value.split(',').map((part) => part.trim());
      const entries: string[] = [];
      for (const part of texts.filter((text) => text !== '')) {
        const entry = options.entry(part);
        if (entry === undefined) return { problem: `must be ${options.form}; "${part}" is not valid` };
        entries.push(entry);
      }
      return { value: entries };
    },
  };
}

/**
 * Reads `host` or `host:port`.
 *
 * @param text the text of one list entry
 * @returns the entry in lower case, or undefined where it is neither
 */
export function hostEntry(text: string): string | undefined {
  const match = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(text);
  const port = Number(match?.[2] ?? 443);
  return match !== null && port >= 1 && port <= 65_535 ? text.toLowerCase() : undefined;
}

/**
 * Reads an origin as a browser sends it: scheme and host, no path.
 *
 * @param text the text of one list entry
 * @returns the origin, or undefined where it is none
 */
export function originEntry(text: string): string | undefined {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol)) return undefined;
  return parsed.origin === text.toLowerCase() ? parsed.origin : undefined;
}

/**
 * Reads what express's `trust proxy` takes: an address, a CIDR, or the name of a group of addresses.
 *
 * @param text the text of one list entry
 * @returns the entry, or undefined where it is none of these
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
 * @returns what is wrong, or undefined
 */
export function timeZoneProblem(text: string): string | undefined {
  // Intl also takes bare offsets such as "+01:00", which PostgreSQL reads with the opposite sign.
  const problem = 'must be the IANA name of a time zone, such as UTC or Europe/Berlin';
  if (!/^[A-Za-z]/.test(text)) return problem;
  try {
    Intl.DateTimeFormat('en', { timeZone: text });
    return undefined;
  } catch {
    return problem;
  }
}
