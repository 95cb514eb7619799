import { ProgressBar } from './progress-bar.js';

describe('The progress of a long command', () => {
  it('shows how much is done, how fast, and how much time is left', () => {
    const written: string[] = [];
    let now = 0;
    const bar = new ProgressBar({ isTTY: true, write: (text) => written.push(text) }, () => now);
    bar.show({ done: 0, total: 90_000 });
    now = 2000;
    bar.show({ done: 6000, total: 90_000 });
    now = 30_000;
    bar.show({ done: 90_000, total: 90_000 });
    bar.end();
    expect(written.map((text) => text.replace(/^\r[█░]+ +/, '').trimEnd())).toEqual([
      '0 %  0 of 90,000 rows',
      '6 %  6,000 of 90,000 rows, 3,000 per second, 28 s left',
      '100 %  90,000 of 90,000 rows, 3,000 per second',
      '',
    ]);
  });

  it('writes nothing if standard error is not a terminal', () => {
    const written: string[] = [];
    const bar = new ProgressBar({ write: (text) => written.push(text) });
    bar.show({ done: 1, total: 1 });
    bar.end();
    expect(written).toEqual([]);
  });
});
