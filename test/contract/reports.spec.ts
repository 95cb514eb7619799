import { useTestApi } from '../support/api.js';
import { describeContract } from './describe-contract.js';
import { REPORTS } from './report-resources.js';

const test = useTestApi();

for (const resource of REPORTS) describeContract(test, resource);
