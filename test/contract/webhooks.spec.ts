import { useTestApi } from '../support/api.js';
import { describeContract } from './describe-contract.js';
import { WEBHOOKS } from './webhooks.js';

const test = useTestApi();

for (const resource of WEBHOOKS) describeContract(test, resource);
