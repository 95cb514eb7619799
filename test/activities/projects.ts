import type { TestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { makeComponent, unique } from '../support/factories.js';
import { bringIn, bringInComponents, makeEmptyProject } from '../support/project-content.js';
import { makeApplication, makeBusinessUnit, makeProject, type TestProject } from '../support/projects.js';
import { telling, type Told, type Writing } from './writing.js';

const unit = telling('create', 'user', 'business_unit');
const application = telling('create', 'user', 'business_unit', 'application');
const PLACE = ['business_unit', 'application', 'project'] as const;
const project = telling('create', 'user', ...PLACE);
const member = telling('personAdd', 'user', ...PLACE);
const task = telling('check', 'user', ...PLACE, 'task', 'status');
const note = telling('note', 'user', ...PLACE);
const attribute = telling('label', 'user', ...PLACE, 'attribute', 'reason');
const policy = telling('shield', 'admin', 'risk_policy');
const survey = telling('survey', 'user', ...PLACE, 'answers');

interface Numbered {
  readonly id: string | number;
}

/** A writing operation within a project, which `prepare` gets ready; `{project}` and further names come from it. */
const within = (
  operation: string,
  told: readonly Told[],
  body?: object,
  prepare: (
    test: TestApi,
    project: TestProject,
  ) => Promise<Readonly<Record<string, string | number>>> = async () => ({}),
): Writing => ({
  operation,
  told,
  prepare: async (test) => {
    const made = await makeEmptyProject(test);
    const names: Record<string, string | number> = { project: made.id, id: made.id, ...(await prepare(test, made)) };
    const [method = '', path = ''] = operation.split(' ');
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(names[name]));
    return () => test.api.send(method, filled, body);
  },
});

/** The project has countermeasure T1. */
async function withTask(test: TestApi, made: TestProject): Promise<{ task: string; id: string }> {
  await bringIn(test, made, ['T1']);
  return { task: 'T1', id: 'T1' };
}

/** The same, with something below it. */
const withPart =
  (kind: string, body: object) =>
  async (test: TestApi, made: TestProject): Promise<{ task: string; id: string | number }> => {
    await bringIn(test, made, ['T1']);
    const { id } = await bodyOf(test.api.post<Numbered>(`/projects/${made.id}/tasks/T1/${kind}/`, body), 201);
    return { task: 'T1', id };
  };

async function withAttribute(test: TestApi, made: TestProject): Promise<{ id: string }> {
  await bodyOf(
    test.api.post(`/projects/${made.id}/attributes/bulk/`, { attributes: [{ id: 'AT2', reason: 'It is so.' }] }),
  );
  return { id: 'AT2' };
}

const DIAGRAM = { name: 'x', diagram_data: {} };

const withDiagram = async ({ api }: TestApi, { id }: TestProject): Promise<{ id: string | number }> =>
  bodyOf(api.post<Numbered>('/project-diagrams/', { project: id, ...DIAGRAM }), 201);

/** A writing operation on a risk policy that no project has. */
const onPolicy = (method: string, told: readonly Told[], body?: object): Writing => ({
  operation: `${method} /risk-policies/{id}/`,
  told,
  prepare: async ({ api }) => {
    const { id } = await bodyOf(api.post<Numbered>('/risk-policies/', { name: unique() }), 201);
    return () => api.send(method, `/risk-policies/${id}/`, body);
  },
});

const TASK = '/projects/{project}/tasks/{id}/';
const PART = '/projects/{project}/tasks/{task}/';
const DRAFT = '/projects/{id}/survey/draft/';
const COMMENTS = '/projects/{project}/survey/comments/';

export const PROJECT_WRITINGS: readonly Writing[] = [
  {
    operation: 'POST /business-units/',
    told: [unit('CreatedBusinessUnitActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/business-units/', { name: unique() }),
  },
  {
    operation: 'PATCH /business-units/{id}/',
    told: [unit('UpdatedBusinessUnitActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeBusinessUnit(api);
      return () => api.patch(`/business-units/${id}/`, { all_users: true });
    },
  },
  {
    operation: 'DELETE /business-units/{id}/',
    told: [unit('DeletedBusinessUnitActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeBusinessUnit(api);
      return () => api.delete(`/business-units/${id}/`);
    },
  },
  {
    operation: 'POST /applications/',
    told: [application('CreatedApplicationActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeBusinessUnit(api);
      return () => api.post('/applications/', { name: unique(), business_unit: id });
    },
  },
  {
    operation: 'PATCH /applications/{id}/',
    told: [application('UpdatedApplicationActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeApplication(api);
      return () => api.patch(`/applications/${id}/`, { description: 'x' });
    },
  },
  {
    operation: 'DELETE /applications/{id}/',
    told: [application('DeletedApplicationActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeApplication(api);
      return () => api.delete(`/applications/${id}/`);
    },
  },
  {
    operation: 'POST /projects/',
    told: [project('CreatedProjectActivity')],
    following: true,
    prepare: async ({ api }) => {
      const { id } = await makeApplication(api);
      return () => api.post('/projects/', { name: unique(), application: id });
    },
  },
  within('PATCH /projects/{id}/', [project('UpdatedProjectActivity')], { description: 'x' }),
  { ...within('PATCH /projects/{id}/', [project('ArchivedProjectActivity')], { archived: true }), when: 'archives it' },
  {
    ...within('PATCH /projects/{id}/', [project('UpdatedProjectActivity'), project('ArchivedProjectActivity')], {
      archived: true,
      description: 'x',
    }),
    when: 'archives and changes it',
  },
  {
    ...within(
      'PATCH /projects/{id}/',
      [project('UnarchivedProjectActivity')],
      { archived: false },
      async (test, { id }) => {
        await bodyOf(test.api.patch(`/projects/${id}/`, { archived: true }));
        return {};
      },
    ),
    when: 'brings it back',
  },
  {
    operation: 'PATCH /projects/{id}/',
    when: 'gives it members',
    told: [member('AddedUserToProjectActivity', 'user'), member('AddedGroupToProjectActivity', 'group')],
    following: true,
    prepare: async (test) => {
      const { id } = await makeProject(test);
      const { email } = await test.newUser();
      const group = await bodyOf(test.api.post<Numbered>('/groups/', { name: unique() }), 201);
      const users = [
        { email: test.organization.admin.email, role: 'PR1' },
        { email, role: 'PR4' },
      ];
      return () => test.api.patch(`/projects/${id}/`, { users, groups: [{ id: group.id, role: 'PR5' }] });
    },
  },
  within('DELETE /projects/{id}/', [project('DeletedProjectActivity')]),

  {
    operation: 'POST /project-diagrams/',
    told: [project('UpdatedProjectActivity')],
    prepare: async (test) => {
      const { id } = await makeEmptyProject(test);
      return () => test.api.post('/project-diagrams/', { project: id, ...DIAGRAM });
    },
  },
  within('PATCH /project-diagrams/{id}/', [project('UpdatedProjectActivity')], { name: 'y' }, withDiagram),
  within('DELETE /project-diagrams/{id}/', [project('UpdatedProjectActivity')], undefined, withDiagram),

  {
    operation: 'POST /risk-policies/',
    told: [policy('CreatedRiskPolicyActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/risk-policies/', { name: unique() }),
  },
  onPolicy('PATCH', [policy('ChangedRiskPolicyActivity')], { description: 'x' }),
  onPolicy('DELETE', [policy('DeletedRiskPolicyActivity')]),

  within('POST /projects/{project}/tasks/', [task('AddedTaskActivity', 'standard')], { task_id: 'T9' }),
  {
    ...within('POST /projects/{project}/tasks/', [task('CreatedTaskActivity')], {
      title: 'x',
      text: 'x',
      phase: 'X3',
      priority: 4,
    }),
    when: 'makes one of its own',
  },
  within(`PATCH ${TASK}`, [task('MarkedTaskActivity', 'standard')], { status: 'TS1' }, withTask),
  {
    ...within(`PATCH ${TASK}`, [task('UpdatedTaskActivity', 'standard')], { artifact_proxy: 'x' }, withTask),
    when: 'changes something else',
  },
  {
    operation: `PATCH ${TASK}`,
    when: 'assigns a user',
    told: [task('AssignedUserToTaskActivity', 'standard', 'user')],
    following: true,
    prepare: async (test) => {
      const made = await makeEmptyProject(test);
      const { id } = await withTask(test, made);
      const { email } = await test.newUser({ role: 'UR4' });
      return () => test.api.patch(`/projects/${made.id}/tasks/${id}/`, { assigned_to: [email] });
    },
  },
  within(`DELETE ${TASK}`, [task('DeletedTaskActivity', 'standard')], undefined, async (test, { id }) => {
    await bodyOf(test.api.post(`/projects/${id}/tasks/`, { task_id: 'T9' }), 201);
    return { id: 'T9' };
  }),
  within(`POST ${PART}notes/`, [note('AddedNoteActivity', 'task', 'standard')], { text: 'x' }, withTask),
  within(
    `PATCH ${PART}notes/{id}/`,
    [note('UpdatedNoteActivity', 'task', 'standard')],
    { text: 'y' },
    withPart('notes', { text: 'x' }),
  ),
  within(`POST ${PART}analysis-notes/`, [note('AddedNoteActivity', 'task', 'standard')], { status: 'pass' }, withTask),
  within(
    `PATCH ${PART}analysis-notes/{id}/`,
    [note('UpdatedNoteActivity', 'task', 'standard')],
    { status: 'fail' },
    withPart('analysis-notes', { status: 'pass' }),
  ),

  {
    ...within('POST /projects/{project}/attributes/bulk/', [attribute('CreatedProjectAttributeSourceActivity')], {
      attributes: [{ id: 'AT2', reason: 'It is so.' }],
    }),
    following: true,
  },
  {
    ...within(
      'PATCH /projects/{project}/attributes/{id}/sources/manual/',
      [attribute('ModifiedProjectAttributeSourceReasonActivity')],
      { reason: 'Another.' },
      withAttribute,
    ),
    following: true,
  },
  {
    ...within(
      'DELETE /projects/{project}/attributes/{id}/sources/manual/',
      [attribute('DeletedProjectAttributeSourceActivity')],
      undefined,
      withAttribute,
    ),
    following: true,
  },
  {
    ...within(
      'POST /projects/{project}/component-updates/',
      [telling('update', 'user', ...PLACE, 'components')('AppliedComponentUpdatesActivity')],
      {},
      async (test, made) => {
        const component = await makeComponent(test.api, { hidden: false });
        await bringInComponents(test, made, [component.id]);
        await bodyOf(test.api.patch(`/library/components/${component.id}/`, { tasks_implemented: ['T1'] }));
        return {};
      },
    ),
    following: true,
  },

  // A draft is nobody's concern until it is saved.
  within(`PATCH ${DRAFT}`, [], { profile: 'P1' }),
  within('PATCH /projects/{project}/survey/draft/{id}/', [], { selected: true }, async () => ({ id: 'A4' })),
  within(`DELETE ${DRAFT}`, []),
  {
    ...within(`POST ${DRAFT}`, [survey('ChangedProjectSurveyActivity')], undefined, async (test, { id }) => {
      await bodyOf(test.api.patch(`/projects/${id}/survey/draft/A4/`, { selected: true }));
      return {};
    }),
    following: true,
  },
  within(`POST ${COMMENTS}`, [note('AddedNoteActivity', 'question')], { question: 'Q1', text: 'x' }),
  within(`PATCH ${COMMENTS}{id}/`, [note('UpdatedNoteActivity', 'question')], { text: 'y' }, async (test, made) => {
    const path = `/projects/${made.id}/survey/comments/`;
    const { id } = await bodyOf(test.api.post<Numbered>(path, { question: 'Q1', text: 'x' }), 201);
    return { id };
  }),
];
