import { describeContract } from '#test/support/tracker-contract.js';
import { startFakeGitHub } from '#test/support/trackers/fake-github.js';
import { startFakeGitLab } from '#test/support/trackers/fake-gitlab.js';

describeContract('GitHub', startFakeGitHub);
describeContract('GitLab', startFakeGitLab);
