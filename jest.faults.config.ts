import type { Config } from 'jest';

import base from './jest.base.config.ts';

/** `npm run test:faults`: tests that kill, stop and disconnect processes, one at a time because they share servers. */
const config: Config = {
  ...base,
  roots: ['<rootDir>/test/faults'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 90_000,
};

export default config;
