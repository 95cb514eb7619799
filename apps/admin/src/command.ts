import type { MikroORM } from '@mikro-orm/postgresql';
import type { Configuration } from '#platform/configuration.js';
import type { Installation } from '#platform/installation.js';

/**
 * What the caller wants can't be done. The message says why, in a line or, of a file, in one for each error; no stack
 * helps.
 */
export class CommandError extends Error {}

/** One option of a command: `--name`. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly required?: boolean;
  readonly about: string;
}

/** A word of a command without a name: all of them must be given, in their order. */
export interface Argument {
  readonly name: string;
  readonly about: string;
}

/** The values of a command's options and arguments, by name. */
export class Options {
  constructor(private readonly values: Readonly<Record<string, string | boolean | undefined>>) {}

  /** A text option, trimmed, of 1 to `maximum` characters; undefined where it was not given. Throws `CommandError`. */
  text(name: string, maximum: number): string | undefined {
    const value = this.values[name];
    if (typeof value !== 'string') return undefined;
    const text = value.trim();
    if (text === '') throw new CommandError(`--${name} is empty.`);
    if ([...text].length > maximum) throw new CommandError(`--${name} has more than ${maximum} characters.`);
    return text;
  }

  /** A text option that must be given. Throws `CommandError`. */
  required(name: string, maximum: number): string {
    const text = this.text(name, maximum);
    if (text === undefined) throw new CommandError(`--${name} is missing.`);
    return text;
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }
}

/** What commands work on: an open installation and its database. */
export interface Session {
  readonly configuration: Configuration;
  readonly installation: Installation;
  readonly orm: MikroORM;
}

/** One command of the command line. What it returns is printed as JSON. */
export interface Command {
  /** Its words: `organization create`. */
  readonly name: string;
  readonly about: string;
  readonly arguments?: readonly Argument[];
  readonly options: Readonly<Record<string, Option>>;
  /** It works on a database of any schema; all others need that of this release. */
  readonly anySchema?: boolean;
  readonly run: (session: Session, options: Options) => Promise<unknown>;
}
