import { useTestApi } from '../support/api.js';
import { describeContract } from './describe-contract.js';
import { LIBRARY_UPGRADES, releaseChanges } from './library-upgrades.js';

const test = useTestApi();

beforeAll(() => releaseChanges(test));

for (const resource of LIBRARY_UPGRADES) describeContract(test, resource);
