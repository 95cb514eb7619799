import { useTestApi } from '../support/api.js';
import { describeContract } from './describe-contract.js';
import { LIBRARY } from './resources.js';

const test = useTestApi();

for (const resource of LIBRARY) describeContract(test, resource);
