/**
 * How `npm run test:mutants` changes TypeScript; the files and their suites are in `test/mutation/groups.ts`.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  testRunner: 'jest',
  jest: { configFile: 'jest.config.ts', enableFindRelatedTests: false },
  // Only mutants that compile are tried.
  checkers: ['typescript'],
  coverageAnalysis: 'perTest',
  // Suites share the modules that they import, so what runs while a module loads can't be changed for one run.
  ignoreStatic: true,
  mutator: {
    // Texts are messages, log lines, names of columns and parts of SQL: an empty one is noticed or means nothing. What a
    // statement says is in the list of our own, `test/mutation/sql`.
    excludedMutations: ['StringLiteral'],
  },
  concurrency: 2,
  // Suites wait for the database and for leases to end, on machines that do other work.
  timeoutMS: 120_000,
  dryRunTimeoutMinutes: 15,
  ignorePatterns: ['dist', '.data', 'docs', 'docker'],
  reporters: ['progress-append-only', 'clear-text'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
};
