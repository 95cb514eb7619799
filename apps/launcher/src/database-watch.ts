import { setTimeout as sleep } from 'node:timers/promises';

import type { EmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres.js';
import { LostPortError } from '#platform/embedded-postgres/server.js';

import { Restarts } from './restarts.js';

/** The database can't be kept running. The message is complete: no stack trace is needed. */
export class DatabaseFailure extends Error {}

/**
 * Restarts the embedded database whenever it ends. The API and the worker reconnect by themselves.
 *
 * @param options `database`: the server to watch; undefined for an external database, which is not supervised.
 *   `report`: called after each end and each restart. `signal`: stops watching. `restarts`: decides when to restart
 * @throws DatabaseFailure if the server can't get its port back, so that the API and the worker could not reach it
 */
export async function keepDatabaseRunning(options: {
  database: Pick<EmbeddedPostgres, 'logFile' | 'restart' | 'untilEnded'> | undefined;
  report: (sentence: string) => void;
  signal: AbortSignal;
  restarts?: Restarts;
}): Promise<void> {
  const { database, report, signal, restarts = new Restarts() } = options;
  if (database === undefined) return;
  while (await database.untilEnded(signal)) {
    const pause = restarts.pauseAfterDeath();
    const log = restarts.deathsInARow > 1 ? ` See ${database.logFile}.` : '';
    report(`The database is down. It restarts in ${pause / 1000} s.${log}`);
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await database.restart().then(
      () => report('The database is running again.'),
      (error: Error) => {
        if (signal.aborted) return; // the restart was aborted
        if (error instanceof LostPortError) throw new DatabaseFailure(lostPortMessage(error), { cause: error });
        report(`The database did not start. ${error.message}`);
      },
    );
    restarts.recordStart();
  }
}

function lostPortMessage(error: LostPortError): string {
  return (
    'The database ended and cannot be restarted on its port, which the API and the worker use. Stopping everything. ' +
    error.message
  );
}
