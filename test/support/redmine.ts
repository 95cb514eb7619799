import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { freePort } from './free-port.js';
import { programInPath } from './programs.js';

const ruby = programInPath('ruby');

/** Whether Redmine of Debian is installed: the packages `redmine` and `redmine-sqlite`. */
export const hasRedmine = ruby !== undefined && existsSync('/usr/share/redmine/config/environment.rb');

/** A real Redmine with its own database, and the projects `shop` and `stock` (with issues) and `docs` (without). */
export interface Redmine {
  readonly url: string;
  /** The API access key of an administrator. */
  readonly key: string;
  stop(): Promise<void>;
}

/** Starts Redmine on an empty database. This takes about ten seconds of a processor. */
export async function startRedmine(): Promise<Redmine> {
  if (ruby === undefined) throw new Error('Ruby is not installed.');
  const folder = await mkdtemp(path.join(tmpdir(), 'merlon-redmine-'));
  const port = await freePort();
  const server = spawn(ruby, [path.join(import.meta.dirname, 'redmine.rb'), String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      LANG: 'C.UTF-8',
      DATABASE_URL: `sqlite3:${folder}/redmine.sqlite3`,
      RAILS_ENV: 'production',
      RAILS_LOG_TO_STDOUT: '1',
      SECRET_KEY_BASE: 'k'.repeat(64),
      // A name that no instance of the machine has, so that none is used.
      X_DEBIAN_SITEID: 'merlon-tests',
    },
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    server.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  // Its log follows, and must be read, or the process waits.
  const key = await new Promise<string | undefined>((resolve) => {
    createInterface(server.stdout).on('line', (line) => line.startsWith('key ') && resolve(line.slice('key '.length)));
    void ended.then(() => resolve(undefined));
  });
  if (key !== undefined) return { url: `http://127.0.0.1:${port}`, key, stop };
  await stop();
  throw new Error('Redmine did not start.');
}
