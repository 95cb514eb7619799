import { createHmac } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { withDirectoryLock } from '../directory-lock.js';
import { makePrivateFolder } from '../private-folder.js';
import { isAlive } from '../process-identity.js';
import { chooseAccount } from './account.js';
import { findBinaries } from './binaries.js';
import { checkVersion, createCluster, readPassword } from './cluster.js';
import { readPostmaster } from './postmaster.js';
import { Programs } from './programs.js';
import { LostPortError, Server } from './server.js';
import { noteUse } from './users.js';

/** Longer than the slowest start, which another process may be busy with. */
const LOCK_SECONDS = 360;

const WATCH_MILLISECONDS = 500;

/** The role of API and worker: the set-up makes it and grants it its rights. */
const APPLICATION_ROLE = 'merlon_app';

/** A running embedded server. */
export interface EmbeddedPostgres {
  /** Where the product's database is, as its owner, password included. */
  readonly url: string;
  /** The same database as the role of API and worker, which a set-up makes. */
  readonly applicationUrl: string;
  /** The server ran already: another process started it, or one that was killed. */
  readonly adopted: boolean;
  /** Absolute path of the server's log. */
  readonly logFile: string;
  /**
   * Waits until the server has ended, for whatever reason.
   *
   * @param signal gives up
   * @returns whether it has ended; false after the signal
   */
  untilEnded(signal: AbortSignal): Promise<boolean>;
  /**
   * Starts the server again unless another has. It keeps its port, so that `url` stays true. After `stop` it does
   * nothing, and a try under way gives up.
   *
   * @throws LostPortError where the port can't be had any more; Error where the server does not start
   */
  restart(): Promise<void>;
  /**
   * Ends this process's use of the server. The last user stops it and waits until it has ended; while another process
   * uses it, nothing happens to it. Calling it again does nothing.
   */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL from the programs that npm installed, or joins the server that runs on the folder already. The
 * server is in a session of its own: neither Ctrl-C nor our death ends it.
 *
 * @param options `directory`: an absolute path, made where it is missing; it then holds the data, the password and the
 *   server's log. `settings`: server settings for a server that is started here, such as `fsync: 'off'` in tests
 * @returns the server
 * @throws Error with what to do: no programs for this platform, a user that PostgreSQL refuses, data of another major
 *   version, or a server that does not start
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
    const server = new Server(directory, programs, await readPassword(directory));
    const running = await server.adopt();
    if (running === undefined) programs.own('data'); // root may have run it in a namespace, and be refused one now
    const url = running ?? (await server.start(settings));
    let pid = readPostmaster(directory)?.pid ?? 0;
    const endUse = await noteUse(path.join(directory, 'users'));

    // A look at the process does for a server that was adopted as well as for a child of ours.
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
        if (stopped.signal.aborted) return; // it came while we waited for the lock; nothing would stop what we start
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
      applicationUrl: applicationUrlOf(url),
      adopted: running !== undefined,
      logFile: server.logFile,
      untilEnded,
      restart,
      stop: () => (stopping ??= stop()),
    };
  });
}

/**
 * The password follows from the owner's, so that it needs no file of its own; nothing leads from it back to the
 * owner's.
 */
function applicationUrlOf(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  const key = decodeURIComponent(url.password);
  url.username = APPLICATION_ROLE;
  url.password = createHmac('sha256', key).update(`password of ${APPLICATION_ROLE}`).digest('base64url');
  return url.href;
}
