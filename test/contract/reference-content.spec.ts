import { useTestApi } from '../support/api.js';
import { describeContract } from './describe-contract.js';
import { REFERENCE_CONTENT } from './reference-content.js';

const test = useTestApi();

for (const resource of REFERENCE_CONTENT) describeContract(test, resource);
