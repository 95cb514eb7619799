import { useTestApi } from '../support/api.js';
import { describeContract } from './describe-contract.js';
import { TRACKER_CONNECTIONS } from './tracker-connections.js';

const test = useTestApi();

for (const resource of TRACKER_CONNECTIONS) describeContract(test, resource);
