import { useTestApi } from '../support/api.js';
import { CONNECTORS } from './connectors.js';
import { describeContract } from './describe-contract.js';

const test = useTestApi();

for (const resource of CONNECTORS) describeContract(test, resource);
