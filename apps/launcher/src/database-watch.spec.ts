import { LostPortError } from '#platform/embedded-postgres/server.js';

import { keepDatabaseRunning } from './database-watch.js';
import { Restarts } from './restarts.js';

describe('The watch over the database', () => {
  let said: string[];
  let stop: AbortController;
  let starts: number;

  /** Watches a database that is dead at every look, until `restart` has done what the test wants. */
  const watch = (restart: () => void): Promise<void> =>
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
      restarts: new Restarts(1),
    });

  beforeEach(() => {
    said = [];
    stop = new AbortController();
    starts = 0;
  });

  it('starts a database again that ended, and says so', async () => {
    await watch(() => stop.abort());
    expect(starts).toBe(1);
    expect(said).toEqual(['The database is down. It is started again in 0.001 s.', 'The database runs again.']);
  });

  it('gives up with the place of the log when the database ends again and again', async () => {
    await expect(watch(() => undefined)).rejects.toThrow(/again and again.*postgres\.log/);
    expect(starts).toBe(4);
  });

  it('goes on after a start that failed', async () => {
    await watch(() => {
      if (starts === 2) return stop.abort();
      throw new Error('PostgreSQL does not start.');
    });
    expect(said).toContain('The database did not start. PostgreSQL does not start.');
    expect(said.at(-1)).toBe('The database runs again.');
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

  it("leaves somebody else's database alone", async () => {
    await keepDatabaseRunning({ database: undefined, report: (sentence) => said.push(sentence), signal: stop.signal });
    expect(said).toEqual([]);
  });
});

describe('Restarts', () => {
  it('wait longer each time, and end', () => {
    const restarts = new Restarts();
    const pauses = Array.from({ length: 5 }, () => restarts.pauseAfterDeath());
    expect(pauses).toEqual([500, 1000, 2000, 4000, undefined]);
  });
});
