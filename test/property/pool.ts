import type { TestApi, TestUser } from '../support/api.js';
import { type ApiClient, bodyOf, rowsOf } from '../support/client.js';
import { makeConnector } from '../support/connectors.js';
import { makeExport, makeFinishedExport } from '../support/exports.js';
import {
  makeAttribute,
  makeComponent,
  makeCountermeasure,
  makeThreat,
  makeWeakness,
  unique,
} from '../support/factories.js';
import { importRows, makeReadyImport } from '../support/imports.js';
import { makeUpgrade } from '../support/library-upgrades.js';
import { makeApplication, makeBusinessUnit, makeProject } from '../support/projects.js';
import { queryBody } from '../support/reports.js';
import type { List } from '../support/resources.js';
import { WEBHOOK_URL } from '../support/webhooks.js';
import { sessionOf } from '../support/sessions.js';
import { fillOwners, fillProject } from './pool-owners.js';
import { BASE, type Id, some, withinItems } from './places.js';
import type { Pool } from './values.js';

/** Ids of some items of a list, the organization's own first. */
async function listed(api: ApiClient, path: string): Promise<Id[]> {
  const rows = await rowsOf(api.get<List<{ id: Id }>>(path));
  const own = rows.filter(({ id }) => /^C[A-Z]+\d/.test(String(id)));
  const others = rows.filter((row) => !own.includes(row));
  return [...own.slice(0, 3), ...others.slice(0, 3)].map(({ id }) => id);
}

/** Paths of read-only lists: their items are built in or come from imports. */
const SHOWN = [
  '/library/answers',
  '/library/capecs',
  '/library/componentquestions',
  '/library/cwes',
  '/library/glossary-terms',
  '/library/questions',
  '/library/regulations',
  '/library/sections',
  '/library/threat-frameworks',
  '/profiles',
  '/task-statuses',
] as const;

async function fillShown(api: ApiClient): Promise<Record<string, readonly Id[]>> {
  const idsByPath: Record<string, readonly Id[]> = {};
  for (const path of SHOWN) idsByPath[`${BASE}${path}`] = await listed(api, `${path}/`);
  return {
    ...idsByPath,
    [withinItems(`${BASE}/library/regulations`)]: ['REG1'],
    [`${BASE}/library/regulations/{regulation}/sections`]: await listed(api, '/library/regulations/REG1/sections/'),
    [`${BASE}/activity-stream`]: (
      await bodyOf(api.get<List<{ id: Id }>>('/activity-stream/', { page_size: 4 }))
    ).results.map(({ id }) => id),
  };
}

/** Activates flags; returns their names. */
const makeFlags = (api: ApiClient): Promise<Id[]> =>
  Promise.all(
    ['POOL_A', 'POOL_B'].map(async (name) => {
      await bodyOf(api.post('/flags/', { name }), 201);
      return name;
    }),
  );

/** Creates items; returns their ids, for every operation that requires one. */
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
  const createdId = async (path: string, body: object = { name: unique() }, client = api): Promise<Id> =>
    (await bodyOf(client.post<{ id: Id }>(path, body), 201)).id;
  const idsOf = async (make: () => Promise<{ readonly id: Id }>): Promise<Id[]> =>
    (await some(make)).map(({ id }) => id);
  const group = await createdId('/groups/');
  const role = await createdId('/global-roles/');
  const token = await createdId('/users/me/tokens/', { name: 'x' }, superUser.api);
  const sessionIds = async (user: number, path: string): Promise<Id[]> => {
    for (let count = 0; count < 4; count += 1) await sessionOf(test, user);
    return (await bodyOf(superUser.api.get<{ results: { id: number }[] }>(path))).results.map(({ id }) => id);
  };
  const [tasks, problems] = [countermeasures.map(({ id }) => id), weaknesses.map(({ id }) => id)];
  const projects = await some(() => makeProject(test));
  const full = await fillProject(test);
  const scan = { project: full['project']?.[0], repository_url: 'https://git.example.com/shop' };
  return {
    ...full,
    ...(await fillOwners(test)),
    ...(await fillShown(api)),
    '/activity-redirect/application': projects.map(({ application }) => application),
    '/activity-redirect/project': projects.map(({ id }) => id),
    [`${BASE}/applications`]: [...projects.map(({ application }) => application), (await makeApplication(api)).id],
    [`${BASE}/business-units`]: [...projects.map(({ businessUnit }) => businessUnit), (await makeBusinessUnit(api)).id],
    [`${BASE}/connectors/issue-tracker`]: await idsOf(() => makeConnector(api, '/connectors/issue-tracker/')),
    [`${BASE}/connectors/analysis`]: await idsOf(() => makeConnector(api, '/connectors/analysis/')),
    [`${BASE}/flags`]: ['DECISION_ENGINE', ...(await makeFlags(api))],
    [`${BASE}/global-roles`]: [role, 'UR1'],
    [`${BASE}/groups`]: [group],
    [`${BASE}/identity-providers`]: await some(() =>
      createdId('/identity-providers/', { name: unique(), issuer: 'https://login.example.com', client_id: 'merlon' }),
    ),
    [`${BASE}/library/attributes`]: ['AT1', ...(await idsOf(() => makeAttribute(api)))],
    [`${BASE}/library/components`]: ['SC1', ...(await idsOf(() => makeComponent(api)))],
    [withinItems(`${BASE}/library/export`)]: [(await makeFinishedExport(test)).id],
    [`${BASE}/library/export`]: await idsOf(() => makeExport(api)),
    [withinItems(`${BASE}/library/import`)]: [(await makeReadyImport(test)).id],
    [`${BASE}/library/import`]: await idsOf(() => importRows(api, 'standard')),
    [`${BASE}/library/problem`]: [...(await idsOf(() => makeWeakness(api))), 'P1'],
    [`${BASE}/library/problems`]: [...problems, 'P1', 'P2'],
    [withinItems(`${BASE}/library/tasks`)]: ['T7'],
    [`${BASE}/library/tasks`]: [...tasks, 'T1', 'T2', 'T7'],
    [`${BASE}/library/rule-mappings`]: [
      'RM1',
      ...(await some(() => createdId('/library/rule-mappings/', { system: 'scan', rule_pattern: 'x', cwe: 79 }))),
    ],
    [`${BASE}/library/tasks/{task}/amendments`]: await parts('amendments'),
    [`${BASE}/library/tasks/{task}/implementations`]: await parts('implementations'),
    [`${BASE}/library/threats`]: ['TH1', ...(await idsOf(() => makeThreat(api)))],
    [`${BASE}/library/upgrades`]: await some(() => makeUpgrade(test)),
    [`${BASE}/phases`]: ['X1', ...(await some(() => createdId('/phases/')))],
    [`${BASE}/problem`]: [...(await idsOf(() => makeWeakness(api))), 'P1'],
    [`${BASE}/project-diagrams`]: await some(() =>
      createdId('/project-diagrams/', { project: full['project']?.[0], name: 'x', diagram_data: {} }),
    ),
    [`${BASE}/projects`]: projects.map(({ id }) => id),
    [`${BASE}/queries`]: await some(() => createdId('/queries/', queryBody())),
    [`${BASE}/risk-policies`]: await some(() => createdId('/risk-policies/')),
    [`${BASE}/team-onboarding/scans`]: await some(() => createdId('/team-onboarding/scans/', scan)),
    [`${BASE}/users`]: [victim.id],
    [`${BASE}/users/me/tokens`]: [token],
    [`${BASE}/users/{user}/tokens`]: await some(() => createdId(`/users/${victim.id}/tokens/`, { name: 'x' })),
    [`${BASE}/users/me/views`]: await some(() =>
      createdId('/users/me/views/', { name: 'x', page: 'tasks', query: {} }, superUser.api),
    ),
    [`${BASE}/users/me/sessions`]: await sessionIds(superUser.id, '/users/me/sessions/'),
    [`${BASE}/users/{user}/sessions`]: await sessionIds(victim.id, `/users/${victim.id}/sessions/`),
    cwe: [79, 89],
    file: ['{"model": "standard", "rows": []}'],
    excluded: ['A3'],
    groups: [group],
    model: ['standard'],
    new_weakness_id: ['P1', ...problems],
    order: ['SP', 'CTA1'],
    phase: ['X1', 'X5'],
    problem: [...problems, 'P1'],
    profile: ['P1'],
    query: [JSON.stringify(queryBody()['query'])],
    question: ['Q1', 'Q2'],
    references: ['cwe:79', 'rfc:9700:4.1', 'Handbook'],
    report_file: ['<testsuite><testcase name="T1 works"/></testsuite>'],
    required: ['A1', 'A2'],
    reviewed_at: ['2026-11-23'],
    role: ['UR1', 'PR2', role],
    system: ['junit', 'codeql'],
    weakness: [...problems, 'P1'],
    task_id: ['T20', 'T21'],
    template: ['top-weaknesses'],
    url: [WEBHOOK_URL],
    users: [victim.id],
  };
}
