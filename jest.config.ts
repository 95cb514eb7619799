import type { Config } from 'jest';

import { swcOptions } from './test/support/jest/swc-options.ts';

const config: Config = {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // Those kill processes: `npm run test:faults`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/faults/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', swcOptions] },
  resolver: '<rootDir>/test/support/jest/resolver.cjs',
  globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
  maxWorkers: 2,
  // Every suite loads the whole of Nest anew, and jest gives the memory back late.
  workerIdleMemoryLimit: '700MB',
  testTimeout: 30_000,
};

export default config;
