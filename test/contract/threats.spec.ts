import { useTestApi } from '../support/api.js';
import { describeContract } from './describe-contract.js';
import { THREATS } from './threats.js';

const test = useTestApi();

for (const resource of THREATS) describeContract(test, resource);
