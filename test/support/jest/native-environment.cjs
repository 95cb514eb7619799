// Suites run as Node runs the product: its own loader reads the modules, once for all suites of a process. jest would
// read a thousand of them anew for each suite, which took longer than most suites do.
const { pathToFileURL } = require('node:url');

const { TestEnvironment } = require('jest-environment-node');

const GLOBALS = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'test'];
/** What jest's matchers compare constructors with: theirs are to be those of the suites. */
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

/** Imports a suite. What it says to `it` and `expect` belongs to this run of it; whatever it imports is shared. */
async function importSuite(file, jestGlobals) {
  // `npm run test:mutants`: sources ask Stryker once which change is on, and stay loaded for the runs of other changes.
  const stryker = jestGlobals.__stryker__;
  if (stryker) globalThis.__stryker__ = Object.assign(stryker, { activeMutant: process.env.__STRYKER_ACTIVE_MUTANT__ });
  // Node finds the lines of the TypeScript by itself; jest looks for them beside files that it has written.
  Error.prepareStackTrace = undefined;
  // jest wants to see a hundred lines of each; every refusal of the API would collect them.
  Error.stackTraceLimit = 10;
  for (const name of GLOBALS) globalThis[name] = jestGlobals[name];
  suites += 1;
  return import(`${pathToFileURL(file).href}?suite=${suites}`);
}
