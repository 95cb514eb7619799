// What begins early ends before the others do, so that no process waits for the last suite of another one. Suites in
// `test` go through all that the API has, however short they are; of the others, the longer text takes the longer time.
// Before all, the attacks with large files: they collect garbage often, which takes ten times as long in a process that
// other suites have filled.
const path = require('node:path');

const isAttack = ({ path: file }) => file.endsWith('-attacks.spec.ts');
const isWide = ({ path: file, context }) => file.startsWith(path.join(context.config.rootDir, 'test', path.sep));
const sizeOf = ({ path: file, context }) => context.hasteFS.getSize(file) ?? 0;

module.exports = class LongestFirst {
  sort(tests) {
    const first = (has) => (a, b) => Number(has(b)) - Number(has(a));
    return tests.toSorted((a, b) => first(isAttack)(a, b) || first(isWide)(a, b) || sizeOf(b) - sizeOf(a));
  }

  cacheResults() {
    // The order follows from the files, and is the same everywhere.
  }
};
