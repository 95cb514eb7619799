import { z } from 'zod';

import type { OutboundClient } from '#platform/outbound/outbound-client.js';
import { AzureDevOpsProject } from './azure-devops/azure-devops-project.js';
import { checkAccount } from './check-tracker.js';
import { GitHubProject } from './github/github-project.js';
import { GitLabProject } from './gitlab/gitlab-project.js';
import { type TrackerProject, TrackerRefusal } from './issue.js';
import { JiraProject } from './jira/jira-project.js';
import { RedmineProject } from './redmine/redmine-project.js';
import { TrackerRequests } from './tracker-requests.js';
import type { TrackerAccess } from './tracker.js';
import { TRACKERS } from './trackers.js';

type Adapter = new (requests: TrackerRequests, key: string, access: TrackerAccess) => TrackerProject;

/** The adapters that read and write issues, by the id of their system. */
const ADAPTERS: Readonly<Record<string, Adapter>> = {
  azure_devops: AzureDevOpsProject,
  github: GitHubProject,
  gitlab: GitLabProject,
  jira: JiraProject,
  redmine: RedmineProject,
};

/** A project of a tracker, and what sends its requests. */
function prepared(client: OutboundClient, system: string, access: TrackerAccess, project: string) {
  const tracker = Object.hasOwn(TRACKERS, system) ? TRACKERS[system] : undefined;
  const Adapter = ADAPTERS[system];
  if (!tracker || !Adapter) throw new TrackerRefusal(`There is no tracker \`${system}\`.`);
  const requests = new TrackerRequests(client, tracker, access, project);
  return { tracker, requests, issues: new Adapter(requests, project, access) };
}

/**
 * The issues of one project of a tracker. It remembers what the tracker said about the project, so create one for each
 * run.
 *
 * @param client what sends the requests; it should read some megabytes of a response: a page has 100 issues
 * @param system the id of the tracker's system
 * @param access its address and credentials
 * @param project the key of the project
 */
export function trackerProject(
  client: OutboundClient,
  system: string,
  access: TrackerAccess,
  project: string,
): TrackerProject {
  return prepared(client, system, access, project).issues;
}

/**
 * The same, after the tracker has accepted the token and has shown the project.
 *
 * @throws OutboundFailure if there is no response
 * @throws UnrecognizedServer if the server is not such a tracker, or does not accept the token
 * @throws TrackerRefusal if the tracker does not show the project, or it has no issues
 */
export async function openTrackerProject(
  client: OutboundClient,
  system: string,
  access: TrackerAccess,
  project: string,
): Promise<TrackerProject> {
  const { tracker, requests, issues } = prepared(client, system, access, project);
  await checkAccount(client, tracker, access);
  await requests.project(z.unknown());
  return issues;
}
