import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';

import type { Terminal } from './command.js';

/**
 * Reads a password from standard input: everything that is piped in, or one line typed without echo. A trailing line
 * break is removed.
 */
export async function readPassword({ stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>): Promise<string> {
  if (!stdin.isTTY) return (await text(stdin)).replace(/\r?\n$/, '');
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: unseen, terminal: true });
  stderr.write('New password (it is not shown): ');
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}
