/** What jest itself reads of a suite: `native-environment.cjs` has imported it. */
module.exports = { process: () => ({ code: '' }) };
