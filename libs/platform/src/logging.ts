import { destination, pino, stdSerializers, stdTimeFunctions } from 'pino';
import type { Logger } from 'pino';

import type { Configuration } from './configuration.js';

export type { Logger } from 'pino';

const CENSORED = '[redacted]';

/** Fields that hold a secret, wherever they are in a line. */
const SECRET_FIELDS = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  '\\w*password(?:_?hash)?',
  '\\w*token(?:_?hash)?',
  '\\w*secret',
  'secret_?(?:access_?)?key(?:_?previous)?',
  'database(?:_?read)?_?url',
  'redis_?url',
  'storage_?url',
  'connection_?string',
];

/**
 * Works on the written line: pino's own redaction walks through the objects and takes 45 µs a line, this takes 4.
 * A value is a JSON string or a list of them.
 */
const SECRET_FIELD = new RegExp(
  `"(${SECRET_FIELDS.join('|')})":(?:"(?:[^"\\\\]|\\\\.)*"|\\["(?:[^"\\\\]|\\\\.)*"(?:,"(?:[^"\\\\]|\\\\.)*")*\\])`,
  'gi',
);

/**
 * Secrets inside texts: credentials of a header, our tokens, a password in a URL, the path of a webhook on whatever
 * host. None matches a quote or a backslash, so a line stays JSON.
 */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(Token|Basic|Bearer)\s+[\w.~+/=-]{16,}/gi, `$1 ${CENSORED}`],
  [/\bmrl_([a-z2-7]{8})_[A-Za-z0-9_-]{20,}/g, `mrl_$1_${CENSORED}`],
  [/(:\/\/[^\s:/@"\\]*):[^\s@/"\\]+@/g, `$1:${CENSORED}@`],
  [/(https:\/\/hooks\.slack(?:-gov)?\.com)\/[^\s"'\\?#]+/gi, `$1/${CENSORED}`],
  [/(https:\/\/[^\s/"'\\]+\/services)\/[^\s"'\\]+/gi, `$1/${CENSORED}`],
];

/**
 * Makes a process's logger: one JSON object a line on standard output, with level, ISO time and the process's name.
 * The values of fields that hold secrets are replaced, and so is what looks like a secret in any text.
 *
 * @param configuration names the least level
 * @param name of the process, such as `api`
 * @param output where the lines go, for tests; standard output by default
 * @returns the logger; with level `silent` it writes nothing
 */
export function createLogger(
  configuration: Pick<Configuration, 'logLevel'>,
  name: string,
  output: { write(line: string): void } = destination({ dest: 1, sync: true }),
): Logger {
  return pino(
    {
      name,
      level: configuration.logLevel,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorWithoutSecrets, error: errorWithoutSecrets },
      hooks: { streamWrite: (line) => withoutSecrets(line.replace(SECRET_FIELD, `"$1":"${CENSORED}"`)) },
    },
    output,
  );
}

/**
 * Takes secrets out of a text that is to be logged or shown.
 *
 * @param text any text
 * @returns the text with what looks like a token, credentials or a webhook's address replaced
 */
export function withoutSecrets(text: string): string {
  return SECRET_TEXTS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}

/** Fields of database errors that carry the values of the row that was refused. */
const ROW_FIELDS = new Set(['detail', 'where', 'internalQuery', 'parameters', 'query']);

function errorWithoutSecrets(error: Error): unknown {
  const fields = Object.entries(stdSerializers.err(error));
  return Object.fromEntries(fields.filter(([name]) => !ROW_FIELDS.has(name)));
}
