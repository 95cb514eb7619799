// What the pictures of connections show: a tracker, a verification tool and a receiver of messages, which are fakes.
import type { Page } from '@playwright/test';
import { ask, type Target } from '../bench/load.ts';
import { expect } from '../support/browser.ts';
import { type FakeSonarQube, SONARQUBE_TOKEN, startFakeSonarQube } from '../support/fake-sonarqube.ts';
import { AUTHORITY_FILE, type Receiver, startReceiver } from '../support/receiver.ts';
import type { ContractTracker } from '../support/tracker-contract.ts';
import { startFakeGitHub } from '../support/trackers/fake-github.ts';

/** The environment of processes that reach the fakes. */
export const REACHING = {
  CONNECTION_ALLOW_PRIVATE: 'true',
  NODE_EXTRA_CA_CERTS: AUTHORITY_FILE,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_PACE_MILLISECONDS: '0',
};

/** The project of the tracker. */
export const SHOP = 'acme/shop';
const SONAR_PROJECT = 'acme:payouts';
const PATIENCE = { timeout: 120_000 };

const rule = (key: string, cwe: number) => ({ key, name: key, cwes: [cwe], language: 'java' });

/** Rules about the most common weaknesses; two of them find something. */
const BRANCH = {
  languages: ['java'],
  rules: [
    rule('java:S3649', 89),
    rule('java:S2083', 22),
    rule('java:S5131', 79),
    rule('java:S6418', 798),
    rule('java:S5542', 327),
    rule('java:S5144', 918),
    rule('java:S4423', 326),
    rule('java:S5135', 502),
  ],
  issues: [
    { rule: 'java:S5131', severity: 'MAJOR' },
    { rule: 'java:S5542', severity: 'CRITICAL' },
  ],
};

interface Run {
  readonly status: string;
}

interface Issue {
  readonly key: string;
  readonly task: string;
}

const numberOf = ({ key }: Issue): string => key.replace(/\D/g, '');

/** Closes an issue in the tracker. */
async function closeIssue({ access: { url, token } }: ContractTracker, issue: Issue): Promise<void> {
  const { ok, status } = await fetch(`${url}/api/v3/repos/${SHOP}/issues/${numberOf(issue)}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'Merlon', 'x-github-api-version': '2022-11-28' },
    body: JSON.stringify({ state: 'closed' }),
  });
  if (!ok) throw new Error(`The tracker returned ${status}.`);
}

async function connectTracker(target: Target, project: number, github: ContractTracker): Promise<void> {
  const { url, token } = github.access;
  const body = { name: 'GitHub', system: { id: 'github' }, params: { url, token } };
  const { id: connector } = await ask<{ id: number }>(target, '/api/v2/connectors/issue-tracker/', { body });
  const base = `/api/v2/projects/${project}/issue-tracker-connections/`;
  const connection = {
    connector,
    project_key: SHOP,
    min_priority: 7,
    labels: ['security'],
    status_to_tracker: { TS1: 'closed', TS2: 'open' },
    tracker_to_status: { closed: 'TS1', open: 'TS2' },
  };
  const { id } = await ask<{ id: number }>(target, base, { body: connection });
  const runs = `${base}${id}/runs/`;
  const run = async (count: number): Promise<void> => {
    await ask(target, `${base}${id}/sync/`, { body: {} });
    const ended = async (): Promise<number> => {
      const { results } = await ask<{ results: readonly Run[] }>(target, runs);
      return results.filter(({ status }) => status === 'succeeded').length;
    };
    await expect.poll(ended, PATIENCE).toBe(count);
  };
  await run(1);
  // Developers close an issue and delete another one; the next run would close a third.
  const { results } = await ask<{ results: readonly Issue[] }>(target, `${base}${id}/issues/`);
  const [completed, closed, lost] = results;
  if (!completed || !closed || !lost) throw new Error('The project has few open countermeasures of this priority.');
  await closeIssue(github, closed);
  await github.remove?.({ id: `7/${numberOf(lost)}` } as Parameters<NonNullable<typeof github.remove>>[0]);
  await run(2);
  const task = `/api/v2/projects/${project}/tasks/${completed.task}/`;
  await ask(target, task, { method: 'PATCH', body: { status: 'TS1' } });
}

async function connectTool(target: Target, project: number, sonarQube: FakeSonarQube): Promise<void> {
  sonarQube.setBranch(SONAR_PROJECT, '', BRANCH);
  const params = { url: sonarQube.url, token: SONARQUBE_TOKEN };
  const body = { name: 'SonarQube', system: { id: 'sonarqube' }, params };
  const { id: connector } = await ask<{ id: number }>(target, '/api/v2/connectors/analysis/', { body });
  const base = `/api/v2/projects/${project}/verification-connections/`;
  const connection = { connector, project_key: SONAR_PROJECT, frequency: 'daily' };
  const { id } = await ask<{ id: number }>(target, base, { body: connection });
  await ask(target, `${base}${id}/sync/`, { body: {} });
  const lastRun = async (): Promise<unknown> =>
    (await ask<{ last_run: string | null }>(target, `${base}${id}/`)).last_run;
  await expect.poll(lastRun, PATIENCE).not.toBeNull();
}

/** Returns the id of a webhook with messages that were delivered, and one that was refused. */
async function connectReceiver(target: Target, project: number, receiver: Receiver): Promise<number> {
  receiver.answer((_, earlier) => (earlier.length === 2 ? 410 : 204));
  const body = { name: 'Release board', format: 'standard', url: receiver.url('board') };
  const { id } = await ask<{ id: number }>(target, '/api/v2/webhooks/', { body });
  for (const name of ['CountermeasureStatusChanged', 'RiskPolicyComplianceChanged'])
    await ask(target, `/api/v2/webhooks/${id}/configs/`, { body: { event_source: name } });
  const tasks = `/api/v2/projects/${project}/tasks/`;
  const { results } = await ask<{ results: readonly { id: string }[] }>(target, `${tasks}?status=TS2&page_size=4`);
  for (const task of results) await ask(target, `${tasks}${task.id}/`, { method: 'PATCH', body: { status: 'TS1' } });
  await expect.poll(() => receiver.received.length, PATIENCE).toBeGreaterThanOrEqual(4);
  return id;
}

/** The tools that a project of the made-up company is connected to. */
export interface ConnectedTools {
  readonly webhook: number;
  stop(): Promise<void>;
}

export async function connectTools(target: Target, project: number): Promise<ConnectedTools> {
  const github = await startFakeGitHub();
  const sonarQube = await startFakeSonarQube();
  const receiver = await startReceiver();
  await connectTracker(target, project, github);
  await connectTool(target, project, sonarQube);
  const webhook = await connectReceiver(target, project, receiver);
  return {
    webhook,
    stop: async () => {
      await github.stop();
      await sonarQube.stop();
      await receiver.stop();
    },
  };
}

/** Opens the latest runs of the connection to the tracker, and what the next one would write. */
export async function showRuns(page: Page): Promise<void> {
  await page.getByRole('button', { name: `Latest runs: ${SHOP}` }).click();
  await page.getByRole('list', { name: 'Issues with problems' }).waitFor();
  await page.getByRole('button', { name: `Preview a run: ${SHOP}` }).click();
  await page.getByRole('list', { name: 'Changes' }).waitFor();
  await expect(page.locator('[data-loading]')).toHaveCount(0);
}
