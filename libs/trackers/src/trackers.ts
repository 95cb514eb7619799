import { azureDevOps } from './azure-devops/azure-devops.js';
import { github } from './github/github.js';
import { gitlab } from './gitlab/gitlab.js';
import { jira } from './jira/jira.js';
import { redmine } from './redmine/redmine.js';
import type { Tracker } from './tracker.js';

/** The supported issue trackers, by the id of their system. */
export const TRACKERS: Readonly<Record<string, Tracker>> = {
  azure_devops: azureDevOps,
  github,
  gitlab,
  jira,
  redmine,
};
