import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { withDirectoryLock } from '../directory-lock.js';
import { makePrivateFolder } from '../private-folder.js';
import { isAlive } from '../process-identity.js';
import { chooseAccount } from './account.js';
import { findBinaries } from './binaries.js';
import { checkVersion, createCluster, readSuperuser } from './cluster.js';
import { readPostmaster } from './postmaster.js';
import { Programs } from './programs.js';
import { APPLICATION_ROLE, credentialsOf } from './roles.js';
import { LostPortError, Server, urlOf } from './server.js';
import { registerUse } from './users.js';

/** Longer than the slowest start of the server by another process. */
const LOCK_SECONDS = 360;

const WATCH_MILLISECONDS = 500;

/** A running embedded server. */
export interface EmbeddedPostgres {
  /** Connection URL of the database's owner, including the password. */
  readonly url: string;
  /** Connection URL of the same database for the API and the worker, whose role setup creates. */
  readonly applicationUrl: string;
  /** The server was already running: another process started it, or one that was killed. */
  readonly adopted: boolean;
  /** Absolute path of the server's log. */
  readonly logFile: string;
  /**
   * Waits until the server has ended, for any reason.
   *
   * @param signal stops waiting
   * @returns true when it has ended; false after the signal
   */
  untilEnded(signal: AbortSignal): Promise<boolean>;
  /**
   * Starts the server again unless another process has. It keeps its port, so that `url` stays valid. After `stop` it
   * does nothing, and a running attempt is aborted.
   *
   * @throws LostPortError if the port is no longer available; Error if the server does not start
   */
  restart(): Promise<void>;
  /**
   * Ends this process's use of the server. The last user stops it and waits until it has ended; while other processes
   * use it, it keeps running. Further calls do nothing.
   */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that npm installed, or joins the server that already runs on the folder. The server has its own
 * session: neither Ctrl-C nor the end of this process stops it.
 *
 * @param options `directory`: an absolute path, created if it is missing, for the data, the password and the server's
 *   log. `settings`: settings for a server that is started here, such as `fsync: 'off'` in tests
 * @returns the server
 * @throws Error with instructions: no programs for this platform, a user that PostgreSQL does not accept, data of
 *   another major version, or a server that does not start
 */
export async function startEmbeddedPostgres(options: {
  directory: string;
  settings?: Readonly<Record<string, string>>;
}): Promise<EmbeddedPostgres> {
  const { directory, settings = {} } = options;
  const binaries = findBinaries();
  await makePrivateFolder(directory);

  const locked = <Result>(action: () => Promise<Result>): Promise<Result> =>
    withDirectoryLock(path.join(directory, 'lock'), LOCK_SECONDS, action);

  return locked(async () => {
    const hasData = await checkVersion(directory, binaries.major);
    const owner = hasData ? (await stat(path.join(directory, 'data'))).uid : undefined;
    const programs = new Programs(binaries, chooseAccount(owner), directory);
    if (!hasData) await createCluster(directory, programs, settings['fsync'] !== 'off');
    const superuser = await readSuperuser(directory);
    const server = new Server(directory, programs, superuser);
    const running = await server.adopt();
    if (running === undefined) programs.own('data'); // if root ran it in a namespace, it may not be allowed to now
    const url = running ?? (await server.start(settings));
    let pid = readPostmaster(directory)?.pid ?? 0;
    const endUse = await registerUse(path.join(directory, 'users'));

    // Polling the process also works for a server that is not our child.
    const untilEnded = async (signal: AbortSignal): Promise<boolean> => {
      while (!signal.aborted) {
        if (!isAlive(pid)) return true;
        await sleep(WATCH_MILLISECONDS, undefined, { signal }).catch(() => undefined);
      }
      return false;
    };

    const stopped = new AbortController();
    const restart = (): Promise<void> =>
      locked(async () => {
        if (stopped.signal.aborted) return; // stopped while it waited for the lock: no one would stop a new server
        const port = Number(new URL(url).port);
        const now = (await server.adopt()) ?? (await server.start(settings, { port, signal: stopped.signal }));
        if (now !== url) throw new LostPortError(`Another process has started it on a port other than ${port}.`);
        pid = readPostmaster(directory)?.pid ?? 0;
      });
    let stopping: Promise<void> | undefined;
    const stop = (): Promise<void> => {
      stopped.abort();
      return locked(async () => {
        const { othersLeft } = await endUse();
        if (!othersLeft) await server.stop();
      });
    };
    return {
      url,
      applicationUrl: urlOf(credentialsOf(superuser, APPLICATION_ROLE), Number(new URL(url).port)),
      adopted: running !== undefined,
      logFile: server.logFile,
      untilEnded,
      restart,
      stop: () => (stopping ??= stop()),
    };
  });
}
