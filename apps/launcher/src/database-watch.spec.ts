import { setTimeout as sleep } from 'node:timers/promises';

import { LostPortError } from '#platform/embedded-postgres/server.js';

import { keepDatabaseRunning } from './database-watch.js';
import { Restarts } from './restarts.js';

describe('The watch over the database', () => {
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

  it('starts a database again that ended, and says so', async () => {
    await watch(() => stop.abort());
    expect(starts).toBe(1);
    expect(said).toEqual(['The database is down. It restarts in 0.001 s.', 'The database is running again.']);
  });

  it('never gives up when the database ends again and again, and names the place of the log', async () => {
    await watch(() => starts === 20 && stop.abort());
    expect(starts).toBe(20);
    expect(said.at(-2)).toBe('The database is down. It restarts in 0.002 s. See /data/postgres.log.');
  });

  it('goes on after a start that failed', async () => {
    await watch(() => {
      if (starts === 2) return stop.abort();
      throw new Error('PostgreSQL does not start.');
    });
    expect(said).toContain('The database did not start. PostgreSQL does not start.');
    expect(said.at(-1)).toBe('The database is running again.');
  });

  it('gives up at once when the port is lost, which API and worker know the database by', async () => {
    const lost = watch(() => {
      throw new LostPortError('Another program has taken its port 5432 (EADDRINUSE).');
    });
    await expect(lost).rejects.toThrow(/everything stops\. Another program has taken its port 5432/);
    expect(starts).toBe(1);
  });

  it('starts nothing when everything stops', async () => {
    stop.abort();
    await watch(() => undefined);
    expect(starts).toBe(0);
  });

  it('starts nothing when everything stops during the pause', async () => {
    const watched = watch(() => undefined);
    stop.abort();
    await watched;
    expect(starts).toBe(0);
  });

  it('leaves an external database alone', async () => {
    await keepDatabaseRunning({ database: undefined, report: (sentence) => said.push(sentence), signal: stop.signal });
    expect(said).toEqual([]);
  });
});

describe('Restarts', () => {
  it('wait longer each time, up to ten seconds, and never end', () => {
    const restarts = new Restarts();
    const pauses = Array.from({ length: 8 }, () => restarts.pauseAfterDeath());
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
    for (let death = 0; death < 2000; death += 1) restarts.pauseAfterDeath();
    expect(restarts.pauseAfterDeath()).toBe(10_000);
  });

  it('begin anew after a time in which all was well', async () => {
    const restarts = new Restarts({ firstMilliseconds: 1, longestMilliseconds: 100, healthyMilliseconds: 20 });
    expect([restarts.pauseAfterDeath(), restarts.pauseAfterDeath()]).toEqual([1, 2]);
    restarts.recordStart();
    await sleep(40);
    expect([restarts.pauseAfterDeath(), restarts.deathsInARow]).toEqual([1, 1]);
  });
});
