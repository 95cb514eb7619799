import { setTimeout as sleep } from 'node:timers/promises';

import { LostPortError } from '#platform/embedded-postgres/server.js';

import { keepDatabaseRunning } from './database-watch.js';
import { Restarts } from './restarts.js';

describe('Watching the database', () => {
  let said: string[];
  let stop: AbortController;
  let starts: number;

  /** Watches a database that is always down, until `restart` succeeds. */
  const watch = (restart: () => unknown): Promise<void> =>
    keepDatabaseRunning({
      database: {
        logFile: '/data/postgres.log',
        untilEnded: (signal) => Promise.resolve(!signal.aborted),
        restart: async () => {
          starts += 1;
          restart();
          return Promise.resolve();
        },
      },
      report: (sentence) => said.push(sentence),
      signal: stop.signal,
      restarts: new Restarts({ firstMilliseconds: 1, longestMilliseconds: 2, healthyMilliseconds: 60_000 }),
    });

  beforeEach(() => {
    said = [];
    stop = new AbortController();
    starts = 0;
  });

  it('restarts a stopped database and reports it', async () => {
    await watch(() => stop.abort());
    expect(starts).toBe(1);
    expect(said).toEqual(['The database is down. It restarts in 0.001 s.', 'The database is running again.']);
  });

  it('never gives up if the database stops repeatedly, and reports the path of its log', async () => {
    await watch(() => starts === 20 && stop.abort());
    expect(starts).toBe(20);
    expect(said.at(-2)).toBe('The database is down. It restarts in 0.002 s. See /data/postgres.log.');
  });

  it('continues after a failed start', async () => {
    await watch(() => {
      if (starts === 2) return stop.abort();
      throw new Error('PostgreSQL did not start.');
    });
    expect(said).toContain('The database did not start. PostgreSQL did not start.');
    expect(said.at(-1)).toBe('The database is running again.');
  });

  it('gives up immediately if another program has taken the port of the database', async () => {
    const lost = watch(() => {
      throw new LostPortError('Another program uses its port 5432 (EADDRINUSE).');
    });
    await expect(lost).rejects.toThrow(/Stopping everything\. Another program uses its port 5432/);
    expect(starts).toBe(1);
  });

  it('does not start the database after shutdown has begun', async () => {
    stop.abort();
    await watch(() => undefined);
    expect(starts).toBe(0);
  });

  it('does not start the database if shutdown begins during the pause', async () => {
    const watched = watch(() => undefined);
    stop.abort();
    await watched;
    expect(starts).toBe(0);
  });

  it('ignores an external database', async () => {
    await keepDatabaseRunning({ database: undefined, report: (sentence) => said.push(sentence), signal: stop.signal });
    expect(said).toEqual([]);
  });
});

describe('Pauses between restarts', () => {
  it('grow up to ten seconds and never end', () => {
    const restarts = new Restarts();
    const pauses = Array.from({ length: 8 }, () => restarts.pauseAfterDeath());
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
    for (let death = 0; death < 2000; death += 1) restarts.pauseAfterDeath();
    expect(restarts.pauseAfterDeath()).toBe(10_000);
  });

  it('start over after a healthy period', async () => {
    const restarts = new Restarts({ firstMilliseconds: 1, longestMilliseconds: 100, healthyMilliseconds: 20 });
    expect([restarts.pauseAfterDeath(), restarts.pauseAfterDeath()]).toEqual([1, 2]);
    restarts.recordStart();
    await sleep(40);
    expect([restarts.pauseAfterDeath(), restarts.deathsInARow]).toEqual([1, 1]);
  });
});
