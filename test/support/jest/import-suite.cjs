// Runs before jest reads a suite, which is empty for jest.
module.exports = () => globalThis.importSuite();
