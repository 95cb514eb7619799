// Before jest reads a suite, which is empty for it.
module.exports = () => globalThis.importSuite();
