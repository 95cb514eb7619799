import type { Readable } from 'node:stream';

import type { MikroORM } from '@mikro-orm/postgresql';
import type { Configuration } from '#platform/configuration.js';
import type { Deployment } from '#platform/deployment.js';

/**
 * An error that the caller can fix, printed without a stack trace. The message has one line, or one for each error of a
 * file.
 */
export class CommandError extends Error {}

/** One option of a command: `--name`. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly required?: boolean;
  readonly about: string;
}

/** Options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', about: 'prints the result as JSON, also on a terminal' },
};

/** A positional argument. All arguments are required, in this order. */
export interface Argument {
  readonly name: string;
  readonly about: string;
  /** It names a file that the command reads, so it must exist. */
  readonly isRead?: boolean;
}

/** The values of a command's options and arguments, by name. */
export class Options {
  constructor(private readonly values: Readonly<Record<string, string | boolean | undefined>>) {}

  /** A text option, trimmed, of 1 to `maximum` characters; undefined if it is not given. Throws `CommandError`. */
  text(name: string, maximum: number): string | undefined {
    const value = this.values[name];
    if (typeof value !== 'string') return undefined;
    const text = value.trim();
    if (text === '') throw new CommandError(`--${name} is empty.`);
    if ([...text].length > maximum) throw new CommandError(`--${name} has more than ${maximum} characters.`);
    return text;
  }

  /** A required text option. Throws `CommandError`. */
  required(name: string, maximum: number): string {
    const text = this.text(name, maximum);
    if (text === undefined) throw new CommandError(`--${name} is missing.`);
    return text;
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }
}

/** Where a command gets its settings and input, and where it writes: its process, or a test. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly stderr: { write(text: string): unknown };
}

/** The open deployment and its database, passed to every command. */
export interface Session {
  readonly terminal: Terminal;
  readonly configuration: Configuration;
  readonly deployment: Deployment;
  readonly orm: MikroORM;
}

/** The words of a command. */
export interface CommandSyntax {
  /** The words that select it, such as `organization create`. */
  readonly name: string;
  readonly about: string;
  readonly arguments?: readonly Argument[];
  readonly options: Readonly<Record<string, Option>>;
}

/** A command of the command line. Its result is printed as tables on a terminal, and otherwise as JSON. */
export interface Command extends CommandSyntax {
  /** Accepts a database of any schema version; other commands require the schema of this release. */
  readonly anySchema?: boolean;
  readonly run: (session: Session, options: Options) => Promise<unknown>;
}

/** A command that needs no deployment. */
export interface LocalCommand extends CommandSyntax {
  readonly report: () => unknown;
}
