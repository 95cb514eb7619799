import { stat } from 'node:fs/promises';
import path from 'node:path';

import { withDirectoryLock } from '../directory-lock.js';
import { makePrivateFolder } from '../private-folder.js';
import { chooseAccount } from './account.js';
import { findBinaries } from './binaries.js';
import { checkVersion, createCluster, readPassword } from './cluster.js';
import { Programs } from './programs.js';
import { Server } from './server.js';
import { noteUse } from './users.js';

/** Longer than the slowest start, which another process may be busy with. */
const LOCK_SECONDS = 360;

/** A running embedded server. */
export interface EmbeddedPostgres {
  /** Where the product's database is, password included. */
  readonly url: string;
  /** The server ran already: another process started it, or one that was killed. */
  readonly adopted: boolean;
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
    const endUse = await noteUse(path.join(directory, 'users'));

    let stopping: Promise<void> | undefined;
    const stop = (): Promise<void> =>
      locked(async () => {
        const { othersLeft } = await endUse();
        if (!othersLeft) await server.stop();
      });
    return { url, adopted: running !== undefined, stop: () => (stopping ??= stop()) };
  });
}
