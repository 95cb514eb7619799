import { useTestApi } from '../support/api.js';
import { describeContract } from './describe-contract.js';
import { JOBS } from './job-resources.js';

const test = useTestApi();

for (const resource of JOBS) describeContract(test, resource);
