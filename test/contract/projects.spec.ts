import { useTestApi } from '../support/api.js';
import { describeContract } from './describe-contract.js';
import { PROJECTS } from './projects.js';

const test = useTestApi();

for (const resource of PROJECTS) describeContract(test, resource);
