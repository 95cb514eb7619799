import { useTestApi } from '../support/api.js';
import { describeContract } from './describe-contract.js';
import { REFERENCE } from './resources.js';

const test = useTestApi();

for (const resource of REFERENCE) describeContract(test, resource);
