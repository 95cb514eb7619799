// Runs the longest suites first, so that in the end no process waits for a long suite of another one. Suites in `test`
// are long, however short their text, because they use the whole API; of the others, those with the most text take the
// most time. The very first suites are the attacks with large files: they collect garbage often, which takes ten times
// as long in a process in which other suites have already run.
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
    // The order depends only on the files, so it is the same on every machine.
  }
};
