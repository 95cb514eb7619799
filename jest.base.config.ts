// `test/run.mjs` has already done this for its processes, but Stryker reads this file in a copy of the project.
import './test/support/jest/typescript.mjs';
import type { Config } from 'jest';

/** What all runs of jest share. */
const config: Config = {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // The fault tests kill processes: `npm run test:faults`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/faults/'],
  // Stryker resolves this path itself, and does not know `<rootDir>`.
  testEnvironment: `${import.meta.dirname}/test/support/jest/native-environment.cjs`,
  setupFilesAfterEnv: ['<rootDir>/test/support/jest/import-suite.cjs'],
  transform: { '\\.spec\\.ts$': '<rootDir>/test/support/jest/empty.cjs' },
  globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
  testSequencer: '<rootDir>/test/support/jest/longest-first.cjs',
  // One more than two cores can run: suites spend part of their time waiting for the database or for timers.
  maxWorkers: 3,
  // Memory that suites leak makes garbage collection ever slower.
  workerIdleMemoryLimit: '800MB',
  // Some tests start a dozen processes, on machines under load.
  testTimeout: 90_000,
  // Taking down half a gigabyte takes longer than the default of 0.5 s.
  workerGracefulExitTimeout: 5000,
};

export default config;
