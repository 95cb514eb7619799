/** Replaces the content of suites for jest: `native-environment.cjs` has already imported them. */
module.exports = { process: () => ({ code: '' }) };
