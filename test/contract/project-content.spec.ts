import { useTestApi } from '../support/api.js';
import { describeContract } from './describe-contract.js';
import { PROJECT_CONTENT } from './project-content.js';

const test = useTestApi();

for (const resource of PROJECT_CONTENT) describeContract(test, resource);
