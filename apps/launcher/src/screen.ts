import path from 'node:path';

import { shownOrigin } from './addresses.js';

/** What the start screen tells. */
export interface ScreenFacts {
  /** As the configuration has it. */
  readonly host: string;
  readonly port: number;
  /** Absolute path of the file with the token; undefined where the user keeps it in ADMIN_TOKEN. */
  readonly adminTokenFile: string | undefined;
  /** Absolute paths of the log files; empty where the logs go to standard output. */
  readonly logFiles: readonly string[];
}

/**
 * Writes the start screen. Its `curl` works when pasted into a shell in the present folder.
 *
 * @param facts what it tells
 * @param folder the present folder
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
    `  API         ${origin}/api/v2/`,
    `  Swagger UI  ${origin}/docs/`,
    `  Token       ${adminTokenFile === undefined ? 'what ADMIN_TOKEN holds' : shortPath(adminTokenFile, folder)}`,
    `  Logs        ${logs === '' ? 'standard output' : logs}`,
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
