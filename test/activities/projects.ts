import type { TestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { unique } from '../support/factories.js';
import { makeEmptyProject } from '../support/project-content.js';
import { makeApplication, makeBusinessUnit, makeProject, type TestProject } from '../support/projects.js';
import { type Numbered, PLACE, within } from './within-project.js';
import { expectingActivities, type ExpectedActivity, type Writing } from './writing.js';

const unit = expectingActivities('create', 'user', 'business_unit');
const application = expectingActivities('create', 'user', 'business_unit', 'application');
const project = expectingActivities('create', 'user', ...PLACE);
const member = expectingActivities('personAdd', 'user', ...PLACE);
const policy = expectingActivities('shield', 'admin', 'risk_policy');

const DIAGRAM = { name: 'x', diagram_data: {} };

const withDiagram = async ({ api }: TestApi, { id }: TestProject): Promise<{ id: string | number }> =>
  bodyOf(api.post<Numbered>('/project-diagrams/', { project: id, ...DIAGRAM }), 201);

/** A writing operation on a risk policy that no project has. */
const onPolicy = (method: string, activities: readonly ExpectedActivity[], body?: object): Writing => ({
  operation: `${method} /risk-policies/{id}/`,
  activities,
  prepare: async ({ api }) => {
    const { id } = await bodyOf(api.post<Numbered>('/risk-policies/', { name: unique() }), 201);
    return () => api.send(method, `/risk-policies/${id}/`, body);
  },
});

/** Writing operations of projects, applications, business units and related resources. */
export const PROJECT_WRITINGS: readonly Writing[] = [
  {
    operation: 'POST /business-units/',
    activities: [unit('CreatedBusinessUnitActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/business-units/', { name: unique() }),
  },
  {
    operation: 'PATCH /business-units/{id}/',
    activities: [unit('UpdatedBusinessUnitActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeBusinessUnit(api);
      return () => api.patch(`/business-units/${id}/`, { all_users: true });
    },
  },
  {
    operation: 'DELETE /business-units/{id}/',
    activities: [unit('DeletedBusinessUnitActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeBusinessUnit(api);
      return () => api.delete(`/business-units/${id}/`);
    },
  },
  {
    operation: 'POST /applications/',
    activities: [application('CreatedApplicationActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeBusinessUnit(api);
      return () => api.post('/applications/', { name: unique(), business_unit: id });
    },
  },
  {
    operation: 'PATCH /applications/{id}/',
    activities: [application('UpdatedApplicationActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeApplication(api);
      return () => api.patch(`/applications/${id}/`, { description: 'x' });
    },
  },
  {
    operation: 'DELETE /applications/{id}/',
    activities: [application('DeletedApplicationActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeApplication(api);
      return () => api.delete(`/applications/${id}/`);
    },
  },
  {
    operation: 'POST /projects/',
    activities: [project('CreatedProjectActivity')],
    following: true,
    prepare: async ({ api }) => {
      const { id } = await makeApplication(api);
      return () => api.post('/projects/', { name: unique(), application: id });
    },
  },
  within('PATCH /projects/{id}/', [project('UpdatedProjectActivity')], { description: 'x' }),
  { ...within('PATCH /projects/{id}/', [project('ArchivedProjectActivity')], { archived: true }), when: 'archiving' },
  { ...within('PATCH /projects/{id}/', [project('LockedProjectActivity')], { locked: true }), when: 'locking' },
  {
    ...within(
      'PATCH /projects/{id}/',
      [project('UnlockedProjectActivity')],
      { locked: false },
      async (test, { id }) => {
        await bodyOf(test.api.patch(`/projects/${id}/`, { locked: true }));
        return {};
      },
    ),
    when: 'unlocking',
  },
  {
    ...within('PATCH /projects/{id}/', [project('UpdatedProjectActivity'), project('ArchivedProjectActivity')], {
      archived: true,
      description: 'x',
    }),
    when: 'changing and archiving',
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
    when: 'unarchiving',
  },
  {
    operation: 'PATCH /projects/{id}/',
    when: 'adding members',
    activities: [member('AddedUserToProjectActivity', 'user'), member('AddedGroupToProjectActivity', 'group')],
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
    activities: [project('UpdatedProjectActivity')],
    prepare: async (test) => {
      const { id } = await makeEmptyProject(test);
      return () => test.api.post('/project-diagrams/', { project: id, ...DIAGRAM });
    },
  },
  within('PATCH /project-diagrams/{id}/', [project('UpdatedProjectActivity')], { name: 'y' }, withDiagram),
  within('DELETE /project-diagrams/{id}/', [project('UpdatedProjectActivity')], undefined, withDiagram),

  {
    operation: 'POST /risk-policies/',
    activities: [policy('CreatedRiskPolicyActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/risk-policies/', { name: unique() }),
  },
  onPolicy('PATCH', [policy('ChangedRiskPolicyActivity')], { description: 'x' }),
  onPolicy('DELETE', [policy('DeletedRiskPolicyActivity')]),
];
