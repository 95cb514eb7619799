import { RefreshPace } from './refresh-pace.js';

describe('The pace at which the projects of an organization are refreshed', () => {
  it('begins with 20 projects, and at most doubles them, up to 100, while batches are fast', () => {
    const pace = new RefreshPace();
    const sizes = Array.from({ length: 5 }, () => {
      const { batch } = pace;
      pace.succeeded(10);
      return batch;
    });
    expect(sizes).toEqual([20, 40, 80, 100, 100]);
  });

  it('takes as many projects as fit in a second, but 20 even if they take longer', () => {
    const pace = new RefreshPace();
    pace.succeeded(100);
    expect(pace.batch).toBe(40);
    pace.succeeded(1600);
    expect(pace.batch).toBe(25);
    pace.succeeded(60_000);
    expect(pace.batch).toBe(20);
  });

  it('stays below a size that reached the time limit while batches are slow', () => {
    const pace = new RefreshPace();
    pace.failed(true);
    pace.succeeded(2000);
    expect(pace.batch).toBe(5);
    pace.succeeded(500);
    expect(pace.batch).toBe(10);
  });

  it('pauses for half as long as the batch took, but not longer than 250 ms', () => {
    const pace = new RefreshPace();
    expect([100, 400, 500, 60_000].map((milliseconds) => pace.succeeded(milliseconds))).toEqual([50, 200, 250, 250]);
  });

  it('takes a quarter after the time limit, and one project after another error', () => {
    const pace = new RefreshPace();
    const sizes = [true, true, true].map((isTimeout) => {
      pace.failed(isTimeout);
      return pace.batch;
    });
    expect(sizes).toEqual([5, 1, 1]);
    pace.succeeded(1);
    expect(pace.batch).toBe(2);
    pace.failed(false);
    expect(pace.batch).toBe(1);
  });

  it('gives a single project more time than several', () => {
    const pace = new RefreshPace();
    expect(pace.limitSeconds).toBe(3);
    pace.failed(false);
    expect(pace.limitSeconds).toBe(30);
  });
});
