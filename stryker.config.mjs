/**
 * Configuration of `npm run test:mutants` for TypeScript; the files and their suites are in `test/mutation/groups.ts`.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  testRunner: 'jest',
  jest: { configFile: 'jest.base.config.ts', enableFindRelatedTests: false },
  // Only mutants that compile are tried.
  checkers: ['typescript'],
  coverageAnalysis: 'perTest',
  // Suites share the modules that they import, so code that runs while a module loads can't be mutated.
  ignoreStatic: true,
  mutator: {
    // Strings are messages, log lines, column names and parts of SQL: emptying them tells little. SQL has its own
    // mutants in `test/mutation/sql`.
    excludedMutations: ['StringLiteral'],
  },
  concurrency: 2,
  // Suites wait for the database and for leases to expire, on machines under load.
  timeoutMS: 120_000,
  dryRunTimeoutMinutes: 15,
  ignorePatterns: ['dist', '.data', 'docs', 'docker'],
  reporters: ['progress-append-only', 'clear-text'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
};
