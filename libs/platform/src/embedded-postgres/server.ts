import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { isAlive } from '../process-identity.js';
import { portError } from '../readiness.js';
import { writeSettings } from './cluster.js';
import { readPostmaster, servesDirectory } from './postmaster.js';
import type { Programs } from './programs.js';
import { type Credentials, DATABASE_NAME, OWNER, credentialsOf, ensureDatabase } from './roles.js';

const POLL_MILLISECONDS = 10;

/** After a hard kill, the server's last child processes need some seconds to end. */
const RETRY_SECONDS = 20;

/** After a crash, replaying the log of a long run takes minutes at worst. */
const READY_SECONDS = 300;

/** Far longer than a server takes to fill the file that it has just created. */
const EMPTY_PID_FILE_SECONDS = 3;

const STOP_SECONDS = 60;

/** Time for a program that uses the port briefly, such as for a connection that is just ending. */
const PORT_SECONDS = 5;

const MAX_LOG_BYTES = 10 * 1024 * 1024;

const LOOPBACK = '127.0.0.1';

/**
 * The server is for this machine only: its libraries get no security updates of their own. These settings are
 * arguments, which no settings file can override.
 */
const NETWORK = ['-c', `listen_addresses=${LOOPBACK}`, '-c', 'unix_socket_directories='];

const SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '120',
  shared_buffers: '128MB',
  // The default for larger shared_buffers: long transactions wait less for the log to be written.
  wal_buffers: '16MB',
  // For SSDs: an index pays off for fewer rows.
  random_page_cost: '1.1',
  // Statements are short here, so compiling them costs more than it saves.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
};

/** The server's port, which its users know, is no longer available: retrying does not help. */
export class LostPortError extends Error {}

/** The server whose data is in one folder. */
export class Server {
  constructor(
    private readonly directory: string,
    private readonly programs: Programs,
    private readonly superuser: Credentials,
  ) {}

  /**
   * Connects to a server that is already running, and waits while it starts or stops.
   *
   * @returns its URL, or undefined if none runs
   * @throws Error if a server runs but does not respond
   */
  async adopt(): Promise<string | undefined> {
    const deadline = Date.now() + READY_SECONDS * 1000;
    for (;;) {
      const postmaster = readPostmaster(this.directory);
      if (postmaster === undefined || !servesDirectory(postmaster.pid, this.directory)) return undefined;
      if (postmaster.ready && (await this.isReachable(postmaster.port))) return this.url(postmaster.port);
      if (Date.now() > deadline) throw new Error(`The PostgreSQL server (process ${postmaster.pid}) does not respond.`);
      await sleep(POLL_MILLISECONDS);
    }
  }

  /**
   * Starts the server on the loopback interface.
   *
   * @param settings server settings that override the defaults
   * @param again for a restart: `port`, which it must keep; `signal`, which aborts (on Windows before the next attempt)
   * @returns its URL, when it responds
   * @throws LostPortError if another program uses the port; Error with the end of its log
   */
  async start(
    settings: Readonly<Record<string, string>>,
    again?: { readonly port: number; readonly signal: AbortSignal },
  ): Promise<string> {
    const deadline = Date.now() + RETRY_SECONDS * 1000;
    for (;;) {
      await rotateLog(this.logFile);
      await removeEmptyPidFile(this.directory);
      const port = again?.port ?? (await this.choosePort());
      if (again !== undefined) await checkPort(port);
      await writeSettings(this.directory, this.programs, { ...SETTINGS, ...settings, port: String(port) });
      if (await this.launch(port, again?.signal)) return this.url(port);
      if (Date.now() > deadline || again?.signal.aborted === true) {
        throw new Error(`PostgreSQL did not start:\n${await this.logEnd()}`);
      }
      await sleep(250);
    }
  }

  /** Stops the server: rolls back open transactions, writes everything to disk, and closes connections. */
  async stop(): Promise<void> {
    const postmaster = readPostmaster(this.directory);
    if (postmaster === undefined || !servesDirectory(postmaster.pid, this.directory)) return;
    if (process.platform === 'win32') {
      await this.runPgCtl(['stop', '-m', 'fast', '-w', '-t', String(STOP_SECONDS)]);
      return;
    }
    process.kill(postmaster.pid, 'SIGINT');
    if (await ended(postmaster.pid)) return;
    process.kill(postmaster.pid, 'SIGQUIT'); // skips the last checkpoint; the next start replays the log
    if (await ended(postmaster.pid)) return;
    throw new Error(`PostgreSQL (process ${postmaster.pid}) did not stop.`);
  }

  /** Absolute path of the server's log. */
  get logFile(): string {
    return path.join(this.directory, 'postgres.log');
  }

  /** Prefers the port of a server that was killed: remaining users, such as the launcher, still connect to it. */
  private async choosePort(): Promise<number> {
    const left = readPostmaster(this.directory)?.port ?? 0;
    if (left > 0 && (await portError({ host: LOOPBACK, port: left, timeoutSeconds: 0 })) === undefined) return left;
    return freePort();
  }

  private async launch(port: number, signal?: AbortSignal): Promise<boolean> {
    if (process.platform === 'win32') {
      const status = await this.runPgCtl(['start', '-w', '-t', String(READY_SECONDS), '-o', NETWORK.join(' ')]);
      return status === 0 && (await this.isReachable(port));
    }
    const log = openSync(this.logFile, 'a', 0o600);
    let child: ChildProcess;
    try {
      const args = ['-D', this.programs.pathOf('data'), ...NETWORK];
      child = this.programs.start('postgres', 'data', args, log, this.unrelatedProcessToIgnore());
    } finally {
      closeSync(log);
    }
    let ending: Error | true | undefined;
    child.once('exit', () => (ending = true));
    child.once('error', (error) => (ending = error));
    child.unref();
    const deadline = Date.now() + READY_SECONDS * 1000;
    while (Date.now() < deadline) {
      if (ending instanceof Error) throw ending;
      if (ending === true) return false;
      const postmaster = readPostmaster(this.directory);
      if (postmaster?.pid === child.pid && postmaster?.ready === true && (await this.isReachable(port))) return true;
      if (signal?.aborted === true) child.kill('SIGINT'); // without a pid file, `stop` would not find it
      await sleep(POLL_MILLISECONDS);
    }
    return false; // it may still be replaying its log; the next start then finds it
  }

  /**
   * A pid file may name an unrelated process, or one that has ended but that its parent never reaps (as in a container
   * without an init). PostgreSQL would mistake it for a running server if it did not know that this process started it.
   * Unlike removing the file, this keeps PostgreSQL's check for left-over child processes.
   */
  private unrelatedProcessToIgnore(): Record<string, string> {
    const postmaster = readPostmaster(this.directory);
    if (postmaster === undefined || servesDirectory(postmaster.pid, this.directory)) return {};
    return { PG_GRANDPARENT_PID: String(postmaster.pid) };
  }

  /** Whether the server accepts queries. Creates the product's database and its owner if they are missing. */
  private async isReachable(port: number): Promise<boolean> {
    const connectionString = urlOf(this.superuser, port, 'postgres');
    const client = new Client({ connectionString, connectionTimeoutMillis: 5000 });
    client.on('error', () => undefined); // if the server stops meanwhile, the query fails
    try {
      await client.connect();
      await ensureDatabase(client, this.superuser);
      return true;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === '53300') return true; // too many connections: the server is running
      if (code === '28P01')
        throw new Error(`The password in ${this.directory} is not that of this server.`, { cause: error });
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private async runPgCtl(args: readonly string[]): Promise<number | null> {
    const log = openSync(this.logFile, 'a', 0o600);
    try {
      const data = this.programs.pathOf('data');
      const child = this.programs.start('pg_ctl', 'data', [...args, '-D', data, '-l', this.logFile], log);
      return await new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('exit', resolve);
      });
    } finally {
      closeSync(log);
    }
  }

  /** Connection URL of the database's owner. */
  private url(port: number): string {
    return urlOf(credentialsOf(this.superuser, OWNER), port);
  }

  private async logEnd(): Promise<string> {
    const text = await readFile(this.logFile, 'utf8').catch(() => '');
    return `${text.trim().split('\n').slice(-10).join('\n')}\n(${this.logFile})`;
  }
}

/**
 * A connection URL.
 *
 * @param role the role to connect as
 * @param port the server's port
 * @param database by default, that of the product
 */
export function urlOf({ name, password }: Credentials, port: number, database = DATABASE_NAME): string {
  return `postgresql://${name}:${encodeURIComponent(password)}@${LOOPBACK}:${port}/${database}`;
}

async function ended(pid: number): Promise<boolean> {
  const deadline = Date.now() + STOP_SECONDS * 1000;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MILLISECONDS);
  }
  return true;
}

async function rotateLog(file: string): Promise<void> {
  const size = await stat(file).then(
    (file) => file.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(file, `${file}.1`);
}

/** A power failure may leave an empty pid file, which PostgreSQL rejects. We hold the lock, so no one is writing it. */
async function removeEmptyPidFile(directory: string): Promise<void> {
  const file = path.join(directory, 'data', 'postmaster.pid');
  const stats = await stat(file).catch(() => undefined);
  if (stats?.size === 0 && Date.now() - stats.mtimeMs > EMPTY_PID_FILE_SECONDS * 1000) await rm(file, { force: true });
}

async function checkPort(port: number): Promise<void> {
  const error = await portError({ host: LOOPBACK, port, timeoutSeconds: PORT_SECONDS });
  if (error !== undefined) throw new LostPortError(`Another program uses its port ${port} (${error}).`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, LOOPBACK, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
