// What begins early ends before the others do, so that no process waits for the last suite of another one. Suites in
// `test` go through all that the API has, however short they are; of the others, the longer text takes the longer time.
const path = require('node:path');

const isWide = ({ path: file, context }) => file.startsWith(path.join(context.config.rootDir, 'test', path.sep));
const sizeOf = ({ path: file, context }) => context.hasteFS.getSize(file) ?? 0;

module.exports = class LongestFirst {
  sort(tests) {
    return tests.toSorted((a, b) => Number(isWide(b)) - Number(isWide(a)) || sizeOf(b) - sizeOf(a));
  }

  cacheResults() {
    // The order follows from the files, and is the same everywhere.
  }
};
