import type { TestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { makeComponent } from '../support/factories.js';
import { addCountermeasures, addComponents, makeEmptyProject } from '../support/project-content.js';
import type { TestProject } from '../support/projects.js';
import { type Numbered, PLACE, within } from './within-project.js';
import { expectingActivities, type Writing } from './writing.js';

const task = expectingActivities('check', 'user', ...PLACE, 'task', 'status');
const note = expectingActivities('note', 'user', ...PLACE);
const attribute = expectingActivities('label', 'user', ...PLACE, 'attribute', 'reason');
const survey = expectingActivities('survey', 'user', ...PLACE, 'answers');

/** The project has countermeasure T1. */
async function withTask(test: TestApi, created: TestProject): Promise<{ task: string; id: string }> {
  await addCountermeasures(test, created, ['T1']);
  return { task: 'T1', id: 'T1' };
}

/** The same, with a part of the countermeasure. */
const withPart =
  (kind: string, body: object) =>
  async (test: TestApi, created: TestProject): Promise<{ task: string; id: string | number }> => {
    await addCountermeasures(test, created, ['T1']);
    const { id } = await bodyOf(test.api.post<Numbered>(`/projects/${created.id}/tasks/T1/${kind}/`, body), 201);
    return { task: 'T1', id };
  };

async function withComment(test: TestApi, created: TestProject): Promise<{ id: string | number }> {
  const path = `/projects/${created.id}/survey/comments/`;
  return bodyOf(test.api.post<Numbered>(path, { question: 'Q1', text: 'x' }), 201);
}

async function withAttribute(test: TestApi, created: TestProject): Promise<{ id: string }> {
  await bodyOf(
    test.api.post(`/projects/${created.id}/attributes/bulk/`, { attributes: [{ id: 'AT2', reason: 'It is so.' }] }),
  );
  return { id: 'AT2' };
}

const TASK = '/projects/{project}/tasks/{id}/';
const PART = '/projects/{project}/tasks/{task}/';
const DRAFT = '/projects/{id}/survey/draft/';
const COMMENTS = '/projects/{project}/survey/comments/';

/** Countermeasures, notes, attributes, components and the survey within a project. */
export const PROJECT_PART_WRITINGS: readonly Writing[] = [
  within('POST /projects/{project}/tasks/', [task('AddedTaskActivity', 'standard')], { task_id: 'T9' }),
  {
    ...within('POST /projects/{project}/tasks/', [task('CreatedTaskActivity')], {
      title: 'x',
      text: 'x',
      phase: 'X3',
      priority: 4,
    }),
    when: 'creating a custom countermeasure',
  },
  within(`PATCH ${TASK}`, [task('MarkedTaskActivity', 'standard')], { status: 'TS1' }, withTask),
  {
    ...within(`PATCH ${TASK}`, [task('UpdatedTaskActivity', 'standard')], { artifact_proxy: 'x' }, withTask),
    when: 'changing another field than the status',
  },
  {
    ...within(`PATCH ${TASK}`, [task('UpdatedTaskActivity')], { phase: 'X4' }, async (test, { id }) => {
      const body = { title: 'x', text: 'x', phase: 'X3', priority: 4 };
      return bodyOf(test.api.post<{ id: string }>(`/projects/${id}/tasks/`, body), 201);
    }),
    when: 'changing a custom countermeasure',
  },
  {
    operation: `PATCH ${TASK}`,
    when: 'assigning a user',
    activities: [task('AssignedUserToTaskActivity', 'standard', 'user')],
    following: true,
    prepare: async (test) => {
      const created = await makeEmptyProject(test);
      const { id } = await withTask(test, created);
      const { email } = await test.newUser({ role: 'UR4' });
      return () => test.api.patch(`/projects/${created.id}/tasks/${id}/`, { assigned_to: [email] });
    },
  },
  within(
    'PATCH /projects/{project}/tasks/bulk/',
    [task('MarkedTaskActivity', 'standard'), note('AddedNoteActivity', 'task', 'standard')],
    { ids: ['T1'], changes: { status: 'TS1', note: 'x' } },
    withTask,
  ),
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
  within(
    `DELETE ${PART}notes/{id}/`,
    [note('DeletedNoteActivity', 'task', 'standard')],
    undefined,
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
      [expectingActivities('update', 'user', ...PLACE, 'components')('AppliedComponentUpdatesActivity')],
      {},
      async (test, created) => {
        const component = await makeComponent(test.api, { hidden: false });
        await addComponents(test, created, [component.id]);
        await bodyOf(test.api.patch(`/library/components/${component.id}/`, { tasks_implemented: ['T1'] }));
        return {};
      },
    ),
    following: true,
  },

  // Changes of a draft are not recorded until it is saved.
  within(`PATCH ${DRAFT}`, [], { profile: 'P1' }),
  within('PATCH /projects/{project}/survey/draft/{id}/', [], { selected: true }, async () => ({ id: 'A4' })),
  within(`DELETE ${DRAFT}`, []),
  within(`POST ${DRAFT}preview/`, [], { answers: { A1: true } }),
  {
    ...within(`POST ${DRAFT}`, [survey('ChangedProjectSurveyActivity')], undefined, async (test, { id }) => {
      await bodyOf(test.api.patch(`/projects/${id}/survey/draft/A4/`, { selected: true }));
      return {};
    }),
    following: true,
  },
  within(`POST ${COMMENTS}`, [note('AddedNoteActivity', 'question')], { question: 'Q1', text: 'x' }),
  within(`PATCH ${COMMENTS}{id}/`, [note('UpdatedNoteActivity', 'question')], { text: 'y' }, withComment),
  within(`DELETE ${COMMENTS}{id}/`, [note('DeletedNoteActivity', 'question')], undefined, withComment),
];
