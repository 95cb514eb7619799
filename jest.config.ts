// `test/run.mjs` has done so for its processes. Stryker reads this file in a copy of the project, without that.
import './test/support/jest/typescript.mjs';
import type { Config } from 'jest';

const config: Config = {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // Those kill processes: `npm run test:faults`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/faults/'],
  // Stryker looks for it by itself, and does not know `<rootDir>`.
  testEnvironment: `${import.meta.dirname}/test/support/jest/native-environment.cjs`,
  setupFilesAfterEnv: ['<rootDir>/test/support/jest/import-suite.cjs'],
  transform: { '\\.spec\\.ts$': '<rootDir>/test/support/jest/empty.cjs' },
  globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
  testSequencer: '<rootDir>/test/support/jest/longest-first.cjs',
  // One more than can work: each waits for the database, or for time to pass, a part of its time.
  maxWorkers: 3,
  // What suites leave behind stays in memory until their process ends, and collecting garbage takes ever longer.
  workerIdleMemoryLimit: '800MB',
  // Some tests start a dozen processes, on machines that do other work.
  testTimeout: 90_000,
};

export default config;
