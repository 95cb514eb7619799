import { describeContract } from '#test/support/tracker-contract.js';
import { startFakeAzureDevOps } from '#test/support/trackers/fake-azure-devops.js';
import { startFakeGitHub } from '#test/support/trackers/fake-github.js';
import { startFakeGitLab } from '#test/support/trackers/fake-gitlab.js';
import { startFakeJira } from '#test/support/trackers/fake-jira.js';

describeContract('GitHub', startFakeGitHub);
describeContract('GitLab', startFakeGitLab);
describeContract('Jira Cloud', () => startFakeJira(true));
describeContract('Jira Data Center', () => startFakeJira(false));
describeContract('Azure DevOps', startFakeAzureDevOps);
