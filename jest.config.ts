import type { Config } from 'jest';

const config: Config = {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // Those kill processes: `npm run test:faults`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/faults/'],
  runtime: '<rootDir>/test/support/jest/native-runtime.cjs',
  transform: {},
  globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
  maxWorkers: 2,
  // Suites leave things behind in the process that they share: a new one takes over then.
  workerIdleMemoryLimit: '700MB',
  testTimeout: 30_000,
};

export default config;
