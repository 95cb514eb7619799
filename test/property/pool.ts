import type { TestApi, TestUser } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { makeExport } from '../support/exports.js';
import {
  makeAttribute,
  makeComponent,
  makeCountermeasure,
  makeThreat,
  makeWeakness,
  unique,
} from '../support/factories.js';
import { importRows } from '../support/imports.js';
import { bringInComponents, bringInRisks, makeEmptyProject } from '../support/project-content.js';
import { makeProject } from '../support/projects.js';
import { queryBody } from '../support/reports.js';
import { makeConfig, makeWebhook } from '../support/webhooks.js';
import type { Pool } from './values.js';

type Id = string | number;

const BASE = '/api/v2';

/** The place in the pool of items that stay, for what lies within them: others may be deleted meanwhile. */
export const withinItems = (before: string): string => `within ${before}`;

const some = <T>(make: () => Promise<T>): Promise<T[]> => Promise.all([1, 2, 3, 4].map(make));

/** A project with something of everything. */
async function fillProject(test: TestApi): Promise<Record<string, readonly Id[]>> {
  const { api } = test;
  const project = await makeEmptyProject(test);
  const own = `/projects/${project.id}`;
  const made = async (path: string, body: object): Promise<Id> =>
    (await bodyOf(api.post<{ id: Id }>(`${own}/${path}/`, body), 201)).id;
  await bodyOf(api.post(`${own}/attributes/bulk/`, { attributes: [{ id: 'AT2', reason: 'x' }] }));
  await bringInRisks(test, project, ['P1', 'TH1']);
  await bringInComponents(test, project, ['SC1']);
  // What was added by hand stays, whatever the survey and the attributes say.
  const tasks: Id[] = [];
  for (const id of ['T1', 'T2', 'T3', 'T9', 'T10', 'T11']) tasks.push(await made('tasks', { task_id: id }));
  const within = `${BASE}/projects/{project}`;
  return {
    project: [project.id],
    business_unit: [project.businessUnit],
    application: [project.application],
    [withinItems(`${BASE}/projects`)]: [project.id],
    [withinItems(`${within}/tasks`)]: ['T1'],
    [`${within}/tasks`]: tasks.slice(1),
    [`${within}/tasks/{task}/notes`]: await some(() => made('tasks/T1/notes', { text: 'x' })),
    [`${within}/tasks/{task}/analysis-notes`]: await some(() => made('tasks/T1/analysis-notes', { status: 'pass' })),
    [`${within}/attributes`]: ['AT2'],
    [`${within}/components`]: ['SC1'],
    [`${within}/problems`]: ['P1'],
    [`${within}/threats`]: [`${project.id}-TH1`],
    [`${within}/survey/comments`]: await some(() => made('survey/comments', { question: 'Q1', text: 'x' })),
    [`${within}/survey/draft`]: ['A1', 'A2', 'A4'],
  };
}

/** A webhook and a workflow prompt with what lies within them. */
async function fillOwners(test: TestApi): Promise<Record<string, readonly Id[]>> {
  const { api, database } = test;
  const webhook = await makeWebhook(api);
  const deliveries = await database.query<{ id: string }>(
    `INSERT INTO webhook_delivery (webhook_id, activity_id, event_source, status, attempts)
     SELECT $1, n, 'CreatedProjectActivity', 'failed', 1 FROM generate_series(1, 4) n RETURNING id`,
    [webhook.id],
  );
  const prompts = '/library/workflow-prompts/';
  const prompt = { title: unique(), type: 'survey', prompt: 'x' };
  const { id } = await bodyOf(api.post<{ id: Id }>(prompts, prompt), 201);
  const context = { name: 'x', content_type: 'text' };
  return {
    [withinItems(`${BASE}/webhooks`)]: [webhook.id],
    [`${BASE}/webhooks`]: (await some(() => makeWebhook(api))).map((one) => one.id),
    [`${BASE}/webhooks/{webhook}/configs`]: [(await makeConfig(api, webhook.id)).id],
    [`${BASE}/webhooks/{webhook}/deliveries`]: deliveries.map((one) => one.id),
    [withinItems(`${BASE}/library/workflow-prompts`)]: [id],
    [`${BASE}/library/workflow-prompts`]: [(await bodyOf(api.post<{ id: Id }>(prompts, prompt), 201)).id],
    [`${BASE}/library/workflow-prompts/{prompt}/contexts`]: [
      (await bodyOf(api.post<{ id: Id }>(`${prompts}${id}/contexts/`, context), 201)).id,
    ],
  };
}

/** Ids that exist, for every operation that takes one. */
export async function fillPool(test: TestApi, superUser: TestUser): Promise<Pool> {
  const { api } = test;
  const victim = await test.newUser();
  const weaknesses = await some(() => makeWeakness(api));
  const countermeasures = await some(() => makeCountermeasure(api, { problem: weaknesses[0]?.id }));
  const parts = (kind: string): Promise<Id[]> =>
    some(async () => {
      const part = { title: unique(), text: 'x' };
      return (await bodyOf(api.post<{ id: Id }>(`/library/tasks/T7/${kind}/`, part))).id;
    });
  const made = async (path: string, body: object = { name: unique() }): Promise<Id> =>
    (await bodyOf(api.post<{ id: Id }>(path, body), 201)).id;
  const idsOf = async (make: () => Promise<{ readonly id: Id }>): Promise<Id[]> =>
    (await some(make)).map(({ id }) => id);
  const group = await made('/groups/');
  const role = await made('/global-roles/');
  const token = (await bodyOf(superUser.api.post<{ id: number }>('/users/me/tokens/', { name: 'x' }), 201)).id;
  const [tasks, problems] = [countermeasures.map(({ id }) => id), weaknesses.map(({ id }) => id)];
  const projects = await some(() => makeProject(test));
  const full = await fillProject(test);
  return {
    ...full,
    ...(await fillOwners(test)),
    [`${BASE}/activity-stream`]: [1, 2, 3],
    [`${BASE}/applications`]: projects.map(({ application }) => application),
    [`${BASE}/business-units`]: projects.map(({ businessUnit }) => businessUnit),
    [`${BASE}/flags`]: ['DECISION_ENGINE'],
    [`${BASE}/global-roles`]: [role, 'UR1'],
    [`${BASE}/groups`]: [group],
    [`${BASE}/library/answers`]: ['A1'],
    [`${BASE}/library/attributes`]: ['AT1', ...(await idsOf(() => makeAttribute(api)))],
    [`${BASE}/library/capecs`]: [66],
    [`${BASE}/library/components`]: ['SC1', ...(await idsOf(() => makeComponent(api)))],
    [`${BASE}/library/cwes`]: [79],
    [`${BASE}/library/export`]: await idsOf(() => makeExport(api)),
    [`${BASE}/library/import`]: await idsOf(() => importRows(api, 'standard')),
    [`${BASE}/library/problem`]: [...problems, 'P1'],
    [`${BASE}/library/problems`]: [...problems, 'P1', 'P2'],
    [`${BASE}/library/questions`]: ['Q1'],
    [`${BASE}/library/regulations`]: ['REG1'],
    [`${BASE}/library/sections`]: ['S1'],
    [`${BASE}/library/tasks`]: [...tasks, 'T1', 'T2', 'T7'],
    [`${BASE}/library/tasks/{task}/amendments`]: await parts('amendments'),
    [`${BASE}/library/tasks/{task}/implementations`]: await parts('implementations'),
    [`${BASE}/library/threats`]: ['TH1', ...(await idsOf(() => makeThreat(api)))],
    [`${BASE}/phases`]: ['X1'],
    [`${BASE}/problem`]: [...problems, 'P1'],
    [`${BASE}/project-diagrams`]: await some(() =>
      made('/project-diagrams/', { project: full['project']?.[0], name: 'x', diagram_data: {} }),
    ),
    [`${BASE}/projects`]: projects.map(({ id }) => id),
    [`${BASE}/queries`]: await some(() => made('/queries/', queryBody())),
    [`${BASE}/risk-policies`]: await some(() => made('/risk-policies/')),
    [`${BASE}/task-statuses`]: ['TS1'],
    [`${BASE}/users`]: [victim.id],
    [`${BASE}/users/me/tokens`]: [token],
    cwe: [79, 89],
    excluded: ['A3'],
    groups: [group],
    new_weakness_id: ['P1', ...problems],
    order: ['SP', 'CTA1'],
    phase: ['X1', 'X5'],
    problem: [...problems, 'P1'],
    profile: ['P1'],
    question: ['Q1', 'Q2'],
    required: ['A1', 'A2'],
    role: ['UR1', 'PR2', role],
    system: ['junit', 'codeql'],
    task_id: ['T20', 'T21'],
    template: ['top-weaknesses'],
    users: [victim.id],
  };
}
