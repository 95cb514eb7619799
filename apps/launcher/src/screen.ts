import path from 'node:path';

import { shownOrigin } from './addresses.js';

/** The values on the start screen. */
export interface ScreenFacts {
  /** As configured. */
  readonly host: string;
  readonly port: number;
  /** The link that creates the first super-user with a password; undefined if someone can sign in. */
  readonly setupLink: string | undefined;
  /** Absolute path of the file with the token; undefined if the user sets ADMIN_TOKEN. */
  readonly adminTokenFile: string | undefined;
  /** Absolute paths of the log files; empty if logs go to standard output. */
  readonly logFiles: readonly string[];
  /** For each part that is off, what to do about it. */
  readonly remedies: Readonly<Record<string, string>>;
}

/**
 * Renders the start screen. Its `curl` command works in a shell whose current folder is `folder`.
 *
 * @param facts the values to show
 * @param folder the current folder
 * @returns the text
 */
export function renderScreen(facts: ScreenFacts, folder: string): string {
  const origin = shownOrigin(facts.host, facts.port);
  const { adminTokenFile } = facts;
  const token =
    adminTokenFile === undefined ? '$ADMIN_TOKEN' : `$(cat ${shellWord(shortPath(adminTokenFile, folder))})`;
  const logs = facts.logFiles.map((file) => shortPath(file, folder)).join(', ');
  return [
    '',
    'Merlon is running.',
    '',
    `  Console     ${origin}/`,
    `  API         ${origin}/api/v2/`,
    `  Swagger UI  ${origin}/docs/`,
    `  Token       ${adminTokenFile === undefined ? 'the value of ADMIN_TOKEN' : shortPath(adminTokenFile, folder)}`,
    `  Logs        ${logs === '' ? 'standard output' : logs}`,
    ...(facts.setupLink === undefined
      ? []
      : ['', `  Sign in     ${facts.setupLink}`, '              (creates the first user; valid for one hour)']),
    ...Object.entries(facts.remedies).flatMap(([part, remedy]) => ['', `  Off: ${part}. ${remedy}`]),
    '',
    'Try it:',
    '',
    `  curl -H "Authorization: Token ${token}" "${origin}/api/v2/library/tasks/?page_size=2"`,
    '',
    'Ctrl-C stops it.',
    '',
    '',
  ].join('\n');
}

function shortPath(file: string, folder: string): string {
  const relative = path.relative(folder, file);
  return relative.startsWith('..') ? file : relative;
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
