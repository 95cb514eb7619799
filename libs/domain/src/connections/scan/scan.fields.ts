import type { InputOf } from '../../kernel/fields/field.js';
import { integer, line } from '../../kernel/fields/fields.js';

/** The status of every scan: Merlon has no scanner and only records it. */
export const NO_SCANNER = 'no_scanner_configured';

const HOST_AND_PATH = String.raw`[^/?#@:\\\s]+(:\d+)?/[^?#@\\\s]+`;
const REPOSITORY_URL = new RegExp(
  String.raw`^(https?://${HOST_AND_PATH}|ssh://(git@)?${HOST_AND_PATH}|git@[^/?#@:\\\s]+:[^?#@\\\s]+)$`,
  'i',
);

/** Returns an error message, or undefined. The message does not repeat the URL, which may contain credentials. */
const repositoryUrlError = (text: string): string | undefined =>
  REPOSITORY_URL.test(text)
    ? undefined
    : 'Enter a URL such as https://git.example.com/shop or git@git.example.com:shop, without credentials and query.';

export const scanFields = {
  project: integer({ description: 'Its project.', example: 1 }),
  connection: integer({ optional: true, nullable: true, description: 'The connection to use.', example: null }),
  repository_url: line({
    maximum: 2048,
    validate: repositoryUrlError,
    description: 'What to scan: http, https or ssh, without credentials and query.',
    example: 'https://git.example.com/shop',
  }),
};

export type ScanInput = InputOf<typeof scanFields>;
