import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describeOnQueues } from './redis.js';

const root = path.resolve(import.meta.dirname, '../..');

describe('A suite that needs Redis', () => {
  it.each([
    [true, ['run on postgresql', 'run on redis']],
    [false, ['run on postgresql', 'skip on redis']],
  ])('runs on Redis if it is available, and is otherwise reported as skipped (available: %s)', (redis, expected) => {
    const declared: string[] = [];
    const suites = {
      run: (title: string) => void declared.push(`run ${title}`),
      skip: (title: string) => void declared.push(`skip ${title}`),
    };
    describeOnQueues('on %s', () => undefined, { redis }, suites);
    expect(declared).toEqual(expected);
  });

  it('does not check for Redis itself', () => {
    const suites = globSync('{apps,libs,test}/**/*.spec.ts', { cwd: root });
    expect(suites.length).toBeGreaterThan(100);
    const asking = suites.filter((suite) => readFileSync(path.join(root, suite), 'utf8').match(/redisIs[T]here/));
    expect(asking).toEqual([]);
  });
});
