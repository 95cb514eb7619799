import type { TestApi } from './api.js';
import { bodyOf, rowsOf } from './client.js';
import { unique } from './factories.js';
import { makeConnector, makeMissingIssue } from './connectors.js';
import { addComponents, addRisks } from './project-content.js';
import type { TestProject } from './projects.js';
import type { List } from './resources.js';

/** The project roles of the specification: lead, architect, tester, developer, reader. */
export const ROLES = ['PR1', 'PR2', 'PR3', 'PR4', 'PR5'] as const;

type Role = (typeof ROLES)[number];

/** A route within a project, and the roles that may use it. Written from the specification, not from the code. */
export interface ProjectRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v2`. `{project}` is the project's number; `FACTORIES` creates what the other placeholders refer to. */
  readonly path: string;
  readonly body?: object;
  /** The status for roles that may use it, if it can't succeed here: without a tracker. */
  readonly answers?: 400;
  readonly roles: readonly Role[];
}

const readers: readonly Role[] = ROLES;
const leads: readonly Role[] = ['PR1'];
const architects: readonly Role[] = ['PR1', 'PR2'];
const verifiers: readonly Role[] = ['PR1', 'PR3'];
const workers: readonly Role[] = ['PR1', 'PR2', 'PR3', 'PR4'];

const PROJECT = '/projects/{project}/';
const DRAFT = `${PROJECT}survey/draft/`;
const COMMENTS = `${PROJECT}survey/comments/`;
const ATTRIBUTES = `${PROJECT}attributes/`;
const TASKS = `${PROJECT}tasks/`;
const CONNECTIONS = `${PROJECT}issue-tracker-connections/`;
const VERIFICATIONS = `${PROJECT}verification-connections/`;

/** Roles × routes: contains every route within a project. */
export const PROJECT_ROUTES: readonly ProjectRoute[] = [
  { method: 'GET', path: PROJECT, roles: readers },
  { method: 'GET', path: `${PROJECT}gate/`, roles: readers },
  { method: 'GET', path: `${PROJECT}report/`, roles: readers },
  { method: 'PATCH', path: PROJECT, body: { description: 'New.' }, roles: leads },
  // Deleting requires a global permission, which no project role includes.
  { method: 'DELETE', path: PROJECT, roles: [] },

  { method: 'GET', path: `${PROJECT}survey/`, roles: readers },
  { method: 'GET', path: DRAFT, roles: readers },
  { method: 'PATCH', path: DRAFT, body: { profile: 'P1' }, roles: architects },
  { method: 'POST', path: DRAFT, roles: architects },
  { method: 'DELETE', path: DRAFT, roles: architects },
  { method: 'POST', path: `${DRAFT}preview/`, body: { answers: { A1: true } }, roles: architects },
  { method: 'GET', path: `${DRAFT}{answer}/`, roles: readers },
  { method: 'PATCH', path: `${DRAFT}{answer}/`, body: { selected: true }, roles: architects },
  { method: 'GET', path: COMMENTS, roles: readers },
  { method: 'POST', path: COMMENTS, body: { question: 'Q1', text: 'x' }, roles: workers },
  { method: 'GET', path: `${COMMENTS}{comment}/`, roles: readers },
  { method: 'PATCH', path: `${COMMENTS}{comment}/`, body: {}, roles: workers },
  // Someone else wrote it.
  { method: 'DELETE', path: `${COMMENTS}{comment}/`, roles: leads },

  { method: 'GET', path: ATTRIBUTES, roles: readers },
  { method: 'GET', path: `${ATTRIBUTES}{attribute}/`, roles: readers },
  { method: 'POST', path: `${ATTRIBUTES}bulk/`, body: { attributes: ['AT2'] }, roles: architects },
  { method: 'PATCH', path: `${ATTRIBUTES}{attribute}/sources/manual/`, body: { reason: 'x' }, roles: architects },
  { method: 'DELETE', path: `${ATTRIBUTES}{attribute}/sources/manual/`, roles: architects },

  { method: 'GET', path: TASKS, roles: readers },
  { method: 'POST', path: TASKS, body: { title: 'x', text: 'x', phase: 'X1', priority: 5 }, roles: architects },
  { method: 'GET', path: `${TASKS}{task}/`, roles: readers },
  { method: 'PATCH', path: `${TASKS}{task}/`, body: { status: 'TS1', status_note: 'x' }, roles: workers },
  { method: 'PATCH', path: `${TASKS}{task}/`, body: { assigned_to: [] }, roles: architects },
  { method: 'PATCH', path: `${TASKS}{task}/`, body: { accepted: true }, roles: architects },
  { method: 'PATCH', path: `${TASKS}{task}/`, body: { tags: ['x'], artifact_proxy: 'x' }, roles: architects },
  { method: 'PATCH', path: `${TASKS}{task}/`, body: { title: 'x' }, roles: architects },
  {
    method: 'PATCH',
    path: `${TASKS}bulk/`,
    body: { ids: ['T1'], changes: { status: 'TS1', note: 'x' } },
    roles: workers,
  },
  { method: 'PATCH', path: `${TASKS}bulk/`, body: { ids: ['T1'], changes: { assigned_to: [] } }, roles: architects },
  { method: 'PATCH', path: `${TASKS}bulk/`, body: { filter: {}, changes: { tags: ['x'] } }, roles: architects },
  { method: 'DELETE', path: `${TASKS}{task}/`, roles: architects },
  { method: 'GET', path: `${TASKS}{countermeasure}/explain/`, roles: readers },
  { method: 'GET', path: `${TASKS}{task}/notes/`, roles: readers },
  { method: 'POST', path: `${TASKS}{task}/notes/`, body: { text: 'x' }, roles: workers },
  { method: 'GET', path: `${TASKS}{task}/notes/{note}/`, roles: readers },
  { method: 'PATCH', path: `${TASKS}{task}/notes/{note}/`, body: {}, roles: workers },
  // Someone else wrote it.
  { method: 'DELETE', path: `${TASKS}{task}/notes/{note}/`, roles: leads },
  { method: 'GET', path: `${TASKS}{task}/analysis-notes/`, roles: readers },
  { method: 'POST', path: `${TASKS}{task}/analysis-notes/`, body: { status: 'pass' }, roles: verifiers },
  { method: 'GET', path: `${TASKS}{task}/analysis-notes/{finding}/`, roles: readers },
  { method: 'PATCH', path: `${TASKS}{task}/analysis-notes/{finding}/`, body: {}, roles: verifiers },
  { method: 'GET', path: `${PROJECT}task-updates/`, roles: readers },

  { method: 'GET', path: `${PROJECT}activity-stream/`, roles: readers },
  { method: 'GET', path: `${PROJECT}components/`, roles: readers },
  { method: 'GET', path: `${PROJECT}component-updates/`, roles: readers },
  { method: 'POST', path: `${PROJECT}component-updates/`, roles: architects },
  { method: 'GET', path: `${PROJECT}components/{component}/`, roles: readers },
  { method: 'GET', path: `${PROJECT}problems/`, roles: readers },
  { method: 'GET', path: `${PROJECT}problems/{weakness}/`, roles: readers },
  { method: 'GET', path: `${PROJECT}problems/{weakness}/tasks/`, roles: readers },
  { method: 'GET', path: `${PROJECT}threats/`, roles: readers },
  { method: 'GET', path: `${PROJECT}threats/{threat}/`, roles: readers },

  { method: 'GET', path: CONNECTIONS, roles: readers },
  { method: 'POST', path: CONNECTIONS, body: {}, answers: 400, roles: leads },
  { method: 'GET', path: VERIFICATIONS, roles: readers },
  { method: 'POST', path: VERIFICATIONS, body: {}, answers: 400, roles: leads },
  { method: 'GET', path: `${VERIFICATIONS}{tool}/`, roles: readers },
  { method: 'PATCH', path: `${VERIFICATIONS}{tool}/`, body: {}, roles: leads },
  { method: 'DELETE', path: `${VERIFICATIONS}{tool}/`, roles: leads },
  { method: 'POST', path: `${VERIFICATIONS}{tool}/sync/`, roles: leads },
  { method: 'GET', path: `${CONNECTIONS}{tracker}/`, roles: readers },
  { method: 'PATCH', path: `${CONNECTIONS}{tracker}/`, body: {}, roles: leads },
  { method: 'DELETE', path: `${CONNECTIONS}{tracker}/`, roles: leads },
  { method: 'POST', path: `${CONNECTIONS}{tracker}/test/`, roles: leads },
  { method: 'POST', path: `${CONNECTIONS}{tracker}/preview/`, answers: 400, roles: leads },
  { method: 'POST', path: `${CONNECTIONS}{tracker}/sync/`, roles: leads },
  { method: 'GET', path: `${CONNECTIONS}{tracker}/runs/`, roles: readers },
  { method: 'GET', path: `${CONNECTIONS}{tracker}/runs/{run}/`, roles: readers },
  { method: 'GET', path: `${CONNECTIONS}{tracker}/issues/`, roles: readers },
  { method: 'GET', path: `${CONNECTIONS}{tracker}/issues/{issue}/`, roles: readers },
  { method: 'POST', path: `${CONNECTIONS}{tracker}/issues/{issue}/recreate/`, roles: leads },
];

type Maker = (test: TestApi, path: string, project: TestProject) => Promise<string | number>;

const createdId = async (test: TestApi, path: string, body: object): Promise<string | number> =>
  (await bodyOf(test.api.post<{ id: string | number }>(path, body), 201)).id;

/** Creates the items that placeholders refer to, as the organization's super-user. `path` is the part before it. */
const FACTORIES: Readonly<Record<string, Maker>> = {
  answer: async (test) => (await rowsOf(test.api.get<List<{ id: string }>>('/library/answers/')))[0]?.id ?? '',
  comment: (test, path) => createdId(test, path, { question: 'Q1', text: 'x' }),
  attribute: async (test, path) => {
    await bodyOf(test.api.post(`${path}bulk/`, ['AT1']));
    return 'AT1';
  },
  task: (test, path) => createdId(test, path, { title: unique('Task'), text: 'x', phase: 'X1', priority: 5 }),
  countermeasure: () => Promise.resolve('T1'),
  component: async (test, _path, project) => {
    await addComponents(test, project, ['SC1']);
    return 'SC1';
  },
  weakness: async (test, _path, project) => {
    await addRisks(test, project, ['P1']);
    return 'P1';
  },
  threat: async (test, _path, project) => {
    await addRisks(test, project, ['TH1']);
    return 'TH1';
  },
  note: (test, path) => createdId(test, path, { text: 'x' }),
  tracker: async (test, path) => {
    const { id: connector } = await makeConnector(test.api, '/connectors/issue-tracker/');
    return createdId(test, path, { connector, project_key: 'SHOP' });
  },
  tool: async (test, path) => {
    const { id: connector } = await makeConnector(test.api, '/connectors/analysis/');
    return createdId(test, path, { connector, project_key: 'acme:shop' });
  },
  run: async (test, path) => {
    const { id } = await bodyOf(test.api.post<{ id: number }>(path.replace(/runs\/$/, 'sync/')), 202);
    return id;
  },
  issue: (test, path) => makeMissingIssue(test, Number(/\/(\d+)\/issues\/$/.exec(path)?.[1])),
  finding: (test, path) => createdId(test, path, { status: 'fail' }),
};

/** Fills the placeholders of a path with new items. */
export async function pathIn(test: TestApi, project: TestProject, path: string): Promise<string> {
  let filled = path.replace('{project}', String(project.id));
  for (let next = /\{(\w+)\}/.exec(filled); next; next = /\{(\w+)\}/.exec(filled)) {
    const maker = FACTORIES[next[1] ?? ''];
    if (!maker) throw new Error(`There is no factory for ${next[0]}.`);
    filled = filled.replace(next[0], String(await maker(test, filled.slice(0, next.index), project)));
  }
  return filled;
}
