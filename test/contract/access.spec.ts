import { useTestApi } from '../support/api.js';
import { describeContract } from './describe-contract.js';
import { ACCESS } from './resources.js';

const test = useTestApi();

for (const resource of ACCESS) describeContract(test, resource);
