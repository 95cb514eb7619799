import type { TestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { makeConnector, makeMissingIssue } from '../support/connectors.js';
import { unique } from '../support/factories.js';
import { addComponents, addRisks, makeEmptyProject } from '../support/project-content.js';
import { makeConfig, makeWebhook } from '../support/webhooks.js';
import { BASE, type Id, some, withinItems } from './places.js';

/** Creates a project with content of every kind. */
export async function fillProject(test: TestApi): Promise<Record<string, readonly Id[]>> {
  const { api } = test;
  const project = await makeEmptyProject(test);
  const own = `/projects/${project.id}`;
  const createdId = async (path: string, body: object): Promise<Id> =>
    (await bodyOf(api.post<{ id: Id }>(`${own}/${path}/`, body), 201)).id;
  await bodyOf(api.post(`${own}/attributes/bulk/`, { attributes: [{ id: 'AT2', reason: 'x' }] }));
  await addRisks(test, project, ['P1', 'TH1']);
  await addComponents(test, project, ['SC1']);
  // Manually added countermeasures stay, regardless of the survey and the attributes.
  const tasks: Id[] = [];
  for (const id of ['T1', 'T2', 'T3', 'T9', 'T10', 'T11']) tasks.push(await createdId('tasks', { task_id: id }));
  const ofItsOwn = await some(() => createdId('tasks', { title: unique('Task'), text: 'x', phase: 'X1', priority: 5 }));
  const within = `${BASE}/projects/{project}`;
  return {
    project: [project.id],
    business_unit: [project.businessUnit],
    application: [project.application],
    [withinItems(`${BASE}/projects`)]: [project.id],
    [withinItems(`${within}/tasks`)]: ['T1'],
    [`${within}/tasks`]: [...tasks.slice(1), ...ofItsOwn],
    [`${within}/tasks/{task}/notes`]: await some(() => createdId('tasks/T1/notes', { text: 'x' })),
    [`${within}/tasks/{task}/analysis-notes`]: await some(() =>
      createdId('tasks/T1/analysis-notes', { status: 'pass' }),
    ),
    [`${within}/attributes`]: ['AT2'],
    [`${within}/components`]: ['SC1'],
    [`${within}/problems`]: ['P1'],
    [`${within}/threats`]: [`${project.id}-TH1`],
    [`${within}/survey/comments`]: await some(() => createdId('survey/comments', { question: 'Q1', text: 'x' })),
    [`${within}/survey/draft`]: ['A1', 'A2', 'A4'],
    ...(await connectProject(test, own)),
    ...(await verifyProject(test, own)),
  };
}

/** Connects a project to a tracker, with a run and missing issues. */
async function connectProject(test: TestApi, own: string): Promise<Record<string, readonly Id[]>> {
  const { api } = test;
  const path = `${own}/issue-tracker-connections/`;
  const body = { connector: (await makeConnector(api, '/connectors/issue-tracker/')).id, project_key: 'SHOP' };
  const connect = async (): Promise<Id> => (await bodyOf(api.post<{ id: Id }>(path, body), 201)).id;
  const id = await connect();
  const { id: run } = await bodyOf(api.post<{ id: Id }>(`${path}${id}/sync/`), 202);
  const within = `${BASE}/projects/{project}/issue-tracker-connections`;
  return {
    [withinItems(within)]: [id],
    [within]: await some(connect),
    [`${within}/{connection}/runs`]: [run],
    [`${within}/{connection}/issues`]: await some(() => makeMissingIssue(test, Number(id))),
  };
}

/** Connects a project to verification tools. */
async function verifyProject({ api }: TestApi, own: string): Promise<Record<string, readonly Id[]>> {
  const body = { connector: (await makeConnector(api, '/connectors/analysis/')).id, project_key: 'acme:shop' };
  const connect = async (): Promise<Id> =>
    (await bodyOf(api.post<{ id: Id }>(`${own}/verification-connections/`, body), 201)).id;
  const within = `${BASE}/projects/{project}/verification-connections`;
  return { [withinItems(within)]: [await connect()], [within]: await some(connect) };
}

/** Inserts failed deliveries of a webhook. */
async function makeDeliveries({ database, organization }: TestApi, webhook: number): Promise<Id[]> {
  const rows = await database.query<{ id: string }>(
    `INSERT INTO webhook_delivery (webhook_id, activity_id, event_source, status, attempts)
     SELECT $1, id, 'CreatedProjectActivity', 'failed', 1 FROM activity WHERE organization_id = $2 ORDER BY id LIMIT 4
     RETURNING id`,
    [webhook, organization.id],
  );
  return rows.map(({ id }) => id);
}

/** Creates a webhook and a workflow prompt, with items within them. */
export async function fillOwners(test: TestApi): Promise<Record<string, readonly Id[]>> {
  const { api } = test;
  const webhook = await makeWebhook(api);
  const prompts = '/library/workflow-prompts/';
  const prompt = { title: unique(), type: 'survey', prompt: 'x' };
  const { id } = await bodyOf(api.post<{ id: Id }>(prompts, prompt), 201);
  const context = { name: 'x', content_type: 'text' };
  return {
    // The second one has no configuration yet. It signs its messages, so it can get a new secret.
    [withinItems(`${BASE}/webhooks`)]: [webhook.id, (await makeWebhook(api, { format: 'standard' })).id],
    [`${BASE}/webhooks`]: (await some(() => makeWebhook(api, { format: 'standard' }))).map((one) => one.id),
    [`${BASE}/webhooks/{webhook}/configs`]: [(await makeConfig(api, webhook.id)).id],
    [`${BASE}/webhooks/{webhook}/deliveries`]: await makeDeliveries(test, webhook.id),
    [withinItems(`${BASE}/library/workflow-prompts`)]: [id],
    [`${BASE}/library/workflow-prompts`]: [(await bodyOf(api.post<{ id: Id }>(prompts, prompt), 201)).id],
    [`${BASE}/library/workflow-prompts/{prompt}/contexts`]: [
      (await bodyOf(api.post<{ id: Id }>(`${prompts}${id}/contexts/`, context), 201)).id,
    ],
  };
}
