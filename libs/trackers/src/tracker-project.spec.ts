import { describeContract } from '#test/support/tracker-contract.js';
import { contractAccount } from '#test/support/trackers/account.js';
import { startFakeAzureDevOps } from '#test/support/trackers/fake-azure-devops.js';
import { startFakeGitHub } from '#test/support/trackers/fake-github.js';
import { startFakeGitLab } from '#test/support/trackers/fake-gitlab.js';
import { startFakeJira } from '#test/support/trackers/fake-jira.js';

/** Only if someone asks for it: tests that are never run are not listed as skipped. */
const account = contractAccount();
if (account) describeContract(`${account.project} (an account of ${account.system})`, () => Promise.resolve(account));

describeContract('GitHub', startFakeGitHub);
describeContract('GitLab', startFakeGitLab);
describeContract('Jira Cloud', () => startFakeJira(true));
describeContract('Jira Data Center', () => startFakeJira(false));
describeContract('Azure DevOps', startFakeAzureDevOps);
