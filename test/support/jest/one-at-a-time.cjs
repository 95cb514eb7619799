// Runs suites in one process, one after the other: what they measure would otherwise depend on the suites beside them.
const { default: TestRunner } = require('jest-runner');

module.exports = class OneAtATime extends TestRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1 }, context);
  }
};
