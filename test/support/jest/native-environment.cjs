// Suites run as the product does: Node's own loader loads each module once for all suites of a process. jest would load
// a thousand modules again for each suite, which takes longer than most suites.
const { pathToFileURL } = require('node:url');

const { TestEnvironment } = require('jest-environment-node');

const GLOBALS = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'test'];
/** Built-in constructors that jest's matchers compare with those of the suites: they must be the same objects. */
const BUILT_IN =
  'Array BigInt Boolean Date Error Function Map Number Object Promise RegExp Set String Symbol TypeError'.split(' ');

let suites = 0;

module.exports = class NativeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const name of BUILT_IN) this.global[name] = globalThis[name];
    this.global.importSuite = () => importSuite(context.testPath, this.global);
  }
};

/** Imports a suite with the globals of its own run. The modules that it imports are shared with other suites. */
async function importSuite(file, jestGlobals) {
  // For `npm run test:mutants`: sources read Stryker's object once, and stay loaded for the runs of other mutants.
  const stryker = jestGlobals.__stryker__;
  if (stryker) globalThis.__stryker__ = Object.assign(stryker, { activeMutant: process.env.__STRYKER_ACTIVE_MUTANT__ });
  // Node maps stack traces to the TypeScript itself; jest would look for source maps of files that it has written.
  Error.prepareStackTrace = undefined;
  // jest sets a hundred lines, which every error response of the API would collect.
  Error.stackTraceLimit = 10;
  for (const name of GLOBALS) globalThis[name] = jestGlobals[name];
  suites += 1;
  return import(`${pathToFileURL(file).href}?suite=${suites}`);
}
