import { useTestApi } from '../support/api.js';
import { describeContract } from './describe-contract.js';
import { VERIFICATION_CONNECTIONS } from './verification-connections.js';

const test = useTestApi();

for (const resource of VERIFICATION_CONNECTIONS) describeContract(test, resource);
