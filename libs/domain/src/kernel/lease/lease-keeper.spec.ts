import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { JobEnded, LeaseKeeper, type Progress, backOffSeconds } from './lease-keeper.js';

const BEAT_MILLISECONDS = 1000;

describe('The lease keeper of a worker', () => {
  let keeper: LeaseKeeper;
  let shutdown: AbortController;
  let renewals: (Progress | undefined)[];
  /** Resolves the pending renewals. */
  let answer: PromiseWithResolvers<'held'>;

  const keep = (): void => {
    keeper = new LeaseKeeper(
      (progress) => {
        renewals.push(progress);
        return answer.promise;
      },
      8,
      shutdown.signal,
    );
  };

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    shutdown = new AbortController();
    renewals = [];
    answer = Promise.withResolvers();
  });

  afterEach(async () => {
    answer.resolve('held');
    await keeper.release();
    mock.timers.reset();
  });

  it('sends the progress with each heartbeat', () => {
    keep();
    keeper.reportProgress({ done: 1, total: 3 });
    expect(keeper.progress).toEqual({ done: 1, total: 3 });
    mock.timers.tick(BEAT_MILLISECONDS);
    expect(renewals).toEqual([{ done: 1, total: 3 }]);
  });

  it('aborts on shutdown, even if the shutdown began before', () => {
    keep();
    expect(keeper.signal.aborted).toBe(false);
    shutdown.abort();
    expect(keeper.signal.reason).toEqual(new JobEnded('shutdown'));
    keep();
    expect(keeper.signal.reason).toEqual(new JobEnded('shutdown'));
  });

  it('loses the lease once its duration has passed since the start of the last renewal', async () => {
    let now = 0;
    const { mock: clock } = mock.method(performance, 'now', () => now);
    try {
      keep();
      now = BEAT_MILLISECONDS;
      mock.timers.tick(BEAT_MILLISECONDS);
      now += 6000;
      answer.resolve('held');
      await turn();
      for (const [later, reason] of [
        [2000, undefined],
        [1, new JobEnded('lost')],
      ] as const) {
        answer = Promise.withResolvers();
        answer.promise.catch(() => undefined);
        mock.timers.tick(BEAT_MILLISECONDS);
        now += later;
        answer.reject(new Error('away'));
        await turn();
        expect(keeper.signal.reason).toEqual(reason);
      }
    } finally {
      clock.restore();
    }
  });

  it('waits for a pending heartbeat on release, and then neither sends heartbeats nor aborts', async () => {
    keep();
    mock.timers.tick(BEAT_MILLISECONDS);
    let released = false;
    const release = keeper.release().then(() => (released = true));
    await turn();
    expect(released).toBe(false);
    answer.resolve('held');
    await release;
    mock.timers.tick(3 * BEAT_MILLISECONDS);
    expect(renewals).toHaveLength(1);
    shutdown.abort();
    expect(keeper.signal.aborted).toBe(false);
  });
});

it('The back-off of a job grows with each failed attempt', () =>
  expect([1, 2, 3].map(backOffSeconds)).toEqual([2, 4, 6]));
