import type { Config } from 'jest';

import base from './jest.base.config.ts';

const TIMED = '\\.timed\\.spec\\.ts$';
// Options of the whole run, which a project of jest may not have.
const { maxWorkers, testSequencer, testTimeout, workerIdleMemoryLimit, workerGracefulExitTimeout, ...suites } = base;

/**
 * `npm test`: first all suites that may run next to others, then those that measure how long something takes
 * (`*.timed.spec.ts`), one at a time.
 */
const config: Config = {
  maxWorkers,
  testSequencer,
  testTimeout,
  workerIdleMemoryLimit,
  workerGracefulExitTimeout,
  projects: [
    { ...suites, testPathIgnorePatterns: [...(suites.testPathIgnorePatterns ?? []), TIMED] },
    { ...suites, testMatch: ['**/*.timed.spec.ts'], runner: '<rootDir>/test/support/jest/one-at-a-time.cjs' },
  ],
};

export default config;
