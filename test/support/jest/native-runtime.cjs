// Suites run as Node runs the product: its own loader reads the modules, once for all suites of a process. jest would
// read a thousand of them anew for each suite, which took longer than most suites do.
const { pathToFileURL } = require('node:url');

const { default: Runtime } = require('jest-runtime');

const GLOBALS = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'test'];
/** What jest's matchers compare constructors with: theirs are to be those of the suites. */
const BUILT_IN =
  'Array BigInt Boolean Date Error Function Map Number Object Promise RegExp Set String Symbol TypeError'.split(' ');

let suites = 0;

module.exports = class NativeRuntime extends Runtime {
  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    for (const name of BUILT_IN) environment.global[name] = globalThis[name];
    // `npm run test:mutants`: sources ask Stryker once which change is on, and stay loaded for the runs of other changes.
    const stryker = environment.global.__stryker__;
    if (stryker)
      globalThis.__stryker__ = Object.assign(stryker, { activeMutant: process.env.__STRYKER_ACTIVE_MUTANT__ });
  }

  unstable_shouldLoadAsEsm(file) {
    return file.endsWith('.ts');
  }

  /** Imports a suite. What it says to `it` and `expect` belongs to this run of it; whatever it imports is shared. */
  async unstable_importModule(file) {
    // Node finds the lines of the TypeScript by itself; jest looks for them beside files that it has written.
    Error.prepareStackTrace = undefined;
    // jest wants to see a hundred lines of each; every refusal of the API would collect them.
    Error.stackTraceLimit = 10;
    for (const name of GLOBALS) globalThis[name] = this._environment.global[name];
    suites += 1;
    return import(`${pathToFileURL(file).href}?suite=${suites}`);
  }
};
