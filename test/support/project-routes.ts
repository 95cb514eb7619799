import type { TestApi } from './api.js';
import { bodyOf } from './client.js';
import { bringInComponents, bringInRisks } from './project-content.js';
import type { TestProject } from './projects.js';

/** The roles in projects, as the specification names them: lead, architect, tester, developer, reader. */
export const ROLES = ['PR1', 'PR2', 'PR3', 'PR4', 'PR5'] as const;

type Role = (typeof ROLES)[number];

/** A route within a project, and who may use it. Written from the specification, not from the code. */
export interface ProjectRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v2`; `{project}` is the project's number, and `{item}` what `prepare` answers. */
  readonly path: string;
  /** Puts into the project what the path names. */
  readonly prepare?: (test: TestApi, project: TestProject) => Promise<string | number>;
  readonly body?: object;
  readonly roles: readonly Role[];
}

const readers: readonly Role[] = ROLES;
const leads: readonly Role[] = ['PR1'];

/** Everybody who does something in projects, and those who decide what is to be done. */
const doers: readonly Role[] = ['PR1', 'PR2', 'PR3', 'PR4'];
const architects: readonly Role[] = ['PR1', 'PR2'];
const testers: readonly Role[] = ['PR1', 'PR3'];

const OWN = { title: 'Own', text: 'x', phase: 'X3', priority: 5 };

const ownTask = async (test: TestApi, project: TestProject): Promise<string> =>
  (await bodyOf(test.api.post<{ id: string }>(`/projects/${project.id}/tasks/`, OWN), 201)).id;

/** A note of either kind, as its path goes on behind `/tasks/`. */
const noteOf = (kind: 'notes' | 'analysis-notes', body: object) => async (test: TestApi, project: TestProject) => {
  const task = await ownTask(test, project);
  const path = `/projects/${project.id}/tasks/${task}/${kind}/`;
  return `${task}/${kind}/${(await bodyOf(test.api.post<{ id: number }>(path, body), 201)).id}`;
};

const note = noteOf('notes', { text: 'x' });
const finding = noteOf('analysis-notes', { status: 'pass' });

const attribute = async (test: TestApi, project: TestProject): Promise<string> => {
  await bodyOf(test.api.post(`/projects/${project.id}/attributes/bulk/`, ['AT1']));
  return 'AT1';
};

const component = async (test: TestApi, project: TestProject): Promise<string> => {
  await bringInComponents(test, project, ['SC1']);
  return 'SC1';
};

const risk = (id: string) => async (test: TestApi, project: TestProject) => {
  await bringInRisks(test, project, [id]);
  return id;
};

const TASKS = '/projects/{project}/tasks/';
const TASK = `${TASKS}{item}/`;

/** Routes of what projects contain. */
const CONTENT_ROUTES: readonly ProjectRoute[] = [
  { method: 'GET', path: TASKS, roles: readers },
  { method: 'POST', path: TASKS, body: OWN, roles: architects },
  { method: 'GET', path: TASK, prepare: ownTask, roles: readers },
  { method: 'PATCH', path: TASK, prepare: ownTask, body: { status: 'TS1', status_note: 'x' }, roles: doers },
  { method: 'PATCH', path: TASK, prepare: ownTask, body: { assigned_to: [] }, roles: architects },
  { method: 'PATCH', path: TASK, prepare: ownTask, body: { accepted: false }, roles: architects },
  { method: 'PATCH', path: TASK, prepare: ownTask, body: { tags: ['x'], artifact_proxy: 'x' }, roles: architects },
  { method: 'PATCH', path: TASK, prepare: ownTask, body: { title: 'x' }, roles: architects },
  { method: 'DELETE', path: TASK, prepare: ownTask, roles: architects },
  { method: 'GET', path: `${TASK}notes/`, prepare: ownTask, roles: readers },
  { method: 'POST', path: `${TASK}notes/`, prepare: ownTask, body: { text: 'x' }, roles: doers },
  { method: 'GET', path: TASK, prepare: note, roles: readers },
  { method: 'PATCH', path: TASK, prepare: note, body: { text: 'y' }, roles: doers },
  { method: 'GET', path: `${TASK}analysis-notes/`, prepare: ownTask, roles: readers },
  { method: 'POST', path: `${TASK}analysis-notes/`, prepare: ownTask, body: { status: 'fail' }, roles: testers },
  { method: 'GET', path: TASK, prepare: finding, roles: readers },
  { method: 'PATCH', path: TASK, prepare: finding, body: { status: 'fail' }, roles: testers },
  { method: 'GET', path: '/projects/{project}/task-updates/', roles: readers },
  { method: 'GET', path: '/projects/{project}/attributes/', roles: readers },
  { method: 'GET', path: '/projects/{project}/attributes/{item}/', prepare: attribute, roles: readers },
  { method: 'POST', path: '/projects/{project}/attributes/bulk/', body: { attributes: ['AT2'] }, roles: architects },
  {
    method: 'PATCH',
    path: '/projects/{project}/attributes/{item}/sources/manual/',
    prepare: attribute,
    body: { reason: 'x' },
    roles: architects,
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/attributes/{item}/sources/manual/',
    prepare: attribute,
    roles: architects,
  },
  { method: 'GET', path: '/projects/{project}/components/', roles: readers },
  { method: 'GET', path: '/projects/{project}/components/{item}/', prepare: component, roles: readers },
  { method: 'GET', path: '/projects/{project}/component-updates/', roles: readers },
  { method: 'POST', path: '/projects/{project}/component-updates/', body: {}, roles: architects },
  { method: 'GET', path: '/projects/{project}/problems/', roles: readers },
  { method: 'GET', path: '/projects/{project}/problems/{item}/', prepare: risk('P1'), roles: readers },
  { method: 'GET', path: '/projects/{project}/threats/', roles: readers },
  { method: 'GET', path: '/projects/{project}/threats/{item}/', prepare: risk('TH1'), roles: readers },
];

/** Roles × routes: every route within a project stands here. */
export const PROJECT_ROUTES: readonly ProjectRoute[] = [
  { method: 'GET', path: '/projects/{project}/', roles: readers },
  { method: 'PATCH', path: '/projects/{project}/', body: { description: 'New.' }, roles: leads },
  // Deleting takes a global permission, and no role has it.
  { method: 'DELETE', path: '/projects/{project}/', roles: [] },
  ...CONTENT_ROUTES,
];
