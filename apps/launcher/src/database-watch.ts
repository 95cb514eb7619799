import { setTimeout as sleep } from 'node:timers/promises';

import type { EmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres.js';
import { LostPortError } from '#platform/embedded-postgres/server.js';

import { Restarts } from './restarts.js';

/** The database can't be kept running. The message says it in full. */
export class DatabaseFailure extends Error {}

/**
 * Starts the embedded database again whenever it dies. API and worker connect again by themselves.
 *
 * @param options `database`: what to watch; undefined for an external database, which is left alone. `report`: told
 *   about each death and each new start. `signal`: ends the watch. `restarts`: when to start again
 * @throws DatabaseFailure when API and worker could not find it any more
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
    report(`The database is down. It is started again in ${pause / 1000} s.${log}`);
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await database.restart().then(
      () => report('The database runs again.'),
      (error: Error) => {
        if (signal.aborted) return; // it was told to give up
        if (error instanceof LostPortError) throw new DatabaseFailure(lostPortMessage(error), { cause: error });
        report(`The database did not start. ${error.message}`);
      },
    );
    restarts.noteStart();
  }
}

function lostPortMessage(error: LostPortError): string {
  return (
    "The database ended and can't be started again where API and worker look for it, so everything stops. " +
    error.message
  );
}
