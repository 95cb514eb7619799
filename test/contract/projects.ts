import { bodyOf } from '../support/client.js';
import { unique } from '../support/factories.js';
import { makeApplication, makeBusinessUnit, makeProject } from '../support/projects.js';
import type { Group } from '../support/resources.js';
import { boolean, choice, element, type FilterContract, integer, publicId, reference, text, time } from './filters.js';
import { byTime, ODD_TITLES } from './resources.js';
import { byField, byText, type FieldType, type FieldTypes, type Resource } from './table.js';

const NUMBER = /^[1-9]\d*$/;
const key = { field: 'id', shape: NUMBER, absent: '999999' };
const methods = { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] };
const ROLES = ['PR1', 'PR2', 'PR3', 'PR4', 'PR5'];
const CAPABILITIES = ['attributes', 'delete', 'notes', 'project', 'status', 'survey', 'tasks', 'verification'];
const VERIFICATIONS = ['none', 'fail', 'partial', 'pass'];

const people = (role: FieldTypes): FieldType => ({
  list: { object: { id: 'integer', email: 'string', first_name: 'string', last_name: 'string', ...role } },
});
const groups = (role: FieldTypes): FieldType => ({
  list: { object: { id: { shape: /^G\d+$/ }, name: 'string', ...role } },
});
const role: FieldTypes = { role: { oneOf: ROLES } };

const times = { created: time('created'), updated: time('updated') };
const orderings = {
  id: byField('id'),
  name: byText('name'),
  created: byTime('created'),
  updated: byTime('updated'),
};

const riskPolicyFields: FieldTypes = {
  id: 'integer',
  name: 'string',
  description: 'string',
  filters: { object: { phases: { list: { shape: /^C?X\d+$/ } }, priority: 'integers', tags: 'strings' } },
  conditions: {
    object: {
      statuses: {
        list: {
          object: { task_status: { shape: /^TS[123]$/ }, minimum_verification_status: { oneOf: VERIFICATIONS } },
        },
      },
    },
  },
  is_org_default: 'boolean',
};

const riskPolicies: Resource = {
  name: 'risk policies',
  path: '/risk-policies/',
  key,
  methods,
  writers: 'manage_risk_policies',
  fields: { ...riskPolicyFields, created: 'time', updated: 'time' },
  filters: { id: integer('id'), name: text('name'), is_org_default: boolean('is_org_default'), ...times },
  orderings: { ...orderings, is_org_default: byField('is_org_default') },
  defaultOrdering: 'id',
  search: ({ name, description }) => [String(name), String(description)],
  seed: async (_test, { api }) => {
    for (const [index, title] of ODD_TITLES.entries())
      await bodyOf(
        api.post('/risk-policies/', {
          name: unique(title),
          description: index % 2 ? `About ${title}` : '',
          filters: { phases: ['X1', 'X3'].slice(0, index % 3), priority: [9, 10].slice(index % 3), tags: ['pci'] },
          conditions: { statuses: index % 2 ? [{ task_status: 'TS1', minimum_verification_status: 'pass' }] : [] },
          is_org_default: index === 2,
        }),
        201,
      );
  },
  create: { status: 201, body: () => Promise.resolve({ name: unique('Policy') }) },
};

const businessUnits: Resource = {
  name: 'business units',
  path: '/business-units/',
  key,
  methods,
  fullView: 'view_all_projects',
  writers: { POST: 'add_business_unit', PATCH: 'edit_business_unit', DELETE: 'edit_business_unit' },
  fields: {
    id: 'integer',
    name: 'string',
    slug: 'string',
    users: people({}),
    groups: groups({}),
    default_users: people(role),
    default_groups: groups(role),
    all_users: 'boolean',
    persist_phases: 'boolean',
    default_risk_policy: { nullable: 'integer' },
    created: 'time',
    updated: 'time',
  },
  filters: {
    id: integer('id'),
    name: text('name'),
    slug: text('slug'),
    all_users: boolean('all_users'),
    default_risk_policy: integer('default_risk_policy'),
    ...times,
  },
  orderings,
  defaultOrdering: 'id',
  search: ({ name }) => [String(name)],
  seed: async (_test, { api, admin }) => {
    const { id: policy } = await bodyOf(api.post<{ id: number }>('/risk-policies/', { name: unique('Policy') }), 201);
    const group = await bodyOf(api.post<Group>('/groups/', { name: unique('Group') }), 201);
    for (const [index, title] of ODD_TITLES.entries())
      await makeBusinessUnit(api, {
        name: unique(title),
        all_users: index % 2 === 0,
        users: [admin.email].slice(index % 2),
        groups: [group.id].slice(index % 2),
        default_users: [{ id: admin.id, role: 'PR2' }].slice(index % 3),
        default_groups: [{ id: group.id }].slice(index % 2),
        default_risk_policy: index % 2 ? policy : null,
      });
  },
  create: { status: 201, body: () => Promise.resolve({ name: unique('Unit') }) },
};

const PRIORITIES = ['0-none', '1-high', '2-medium', '3-low'];

const applications: Resource = {
  name: 'applications',
  path: '/applications/',
  key,
  methods,
  fullView: 'view_all_projects',
  writers: { POST: 'add_application', PATCH: 'edit_application', DELETE: 'delete_application' },
  fields: {
    id: 'integer',
    name: 'string',
    slug: 'string',
    business_unit: { object: { id: 'integer', slug: 'string', name: 'string' } },
    priority: { oneOf: PRIORITIES },
    description: 'string',
    tags: 'strings',
    custom_attributes: { object: {} },
    created: 'time',
    updated: 'time',
  },
  includes: {
    projects: {
      projects: {
        list: { object: { id: 'integer', name: 'string', slug: 'string', url: 'string', archived: 'boolean' } },
      },
    },
  },
  filters: {
    id: integer('id'),
    name: text('name'),
    slug: text('slug'),
    business_unit: integer((row) => (row['business_unit'] as { id: number }).id),
    priority: choice('priority', PRIORITIES),
    tag: element('tags', { repeatable: true }),
    ...times,
  },
  orderings: { ...orderings, priority: byField('priority') },
  defaultOrdering: 'id',
  search: ({ name, description }) => [String(name), String(description)],
  switches: ['absolute_urls'],
  seed: async (_test, { api }) => {
    const units = [await makeBusinessUnit(api), await makeBusinessUnit(api)];
    for (const [index, title] of ODD_TITLES.entries()) {
      const { id } = await makeApplication(api, {
        name: unique(title),
        business_unit: units[index % 2]?.id ?? 0,
        priority: PRIORITIES[index % 4],
        description: index % 2 ? `What ${title} is.` : '',
        tags: ['shop', 'odd,tag', '%'].slice(0, index % 4),
      });
      if (index % 2) await bodyOf(api.post('/projects/', { name: unique(title), application: id }), 201);
    }
  },
  create: {
    status: 201,
    body: async (api) => ({ name: unique('Application'), business_unit: (await makeBusinessUnit(api)).id }),
    otherwiseShown: ['business_unit'],
  },
};

/** The filter of archived projects, of which there are none here. */
const active: FilterContract = {
  suffixes: ['', '__in', '__isnull'],
  cases: (name) => [
    ...['true', 'True', '1', 'all', 'ALL'].map((value) => ({ parameter: name, value, matches: () => true })),
    ...['false', 'False', '0'].map((value) => ({ parameter: name, value, matches: () => false })),
    ...['true', 'true,false'].map((value) => ({ parameter: `${name}__in`, value, matches: () => true })),
    { parameter: `${name}__in`, value: 'false', matches: () => false },
    { parameter: `${name}__isnull`, value: 'false', matches: () => true },
    { parameter: `${name}__isnull`, value: 'true', matches: () => false },
  ],
  invalid: { '': ['maybe', '2', 'true,false', 'al'], __in: ['all', 'true,maybe'], __isnull: ['all'] },
  valid: 'true',
};

const projects: Resource = {
  name: 'projects',
  path: '/projects/',
  key,
  methods,
  owner: 'caller',
  fields: {
    id: 'integer',
    external_id: { shape: /^project-[0-9a-f-]{36}$/ },
    name: 'string',
    slug: 'string',
    url: { shape: /^\/projects\/\d+\/$/ },
    description: 'string',
    application: 'integer',
    profile: {
      nullable: {
        object: { id: { shape: /^C?P\d+$/ }, name: 'string', logo_url: { nullable: 'string' }, active: 'boolean' },
      },
    },
    archived: 'boolean',
    locked: 'boolean',
    creator: 'integer',
    tags: 'strings',
    application_tags: 'strings',
    created: 'time',
    updated: 'time',
    users: people(role),
    groups: groups(role),
    custom_attributes: { object: {} },
    parent: { nullable: 'integer' },
    base_project: { nullable: 'integer' },
    survey_complete: 'boolean',
    survey_dirty: 'boolean',
    risk_policy: { nullable: 'integer' },
    risk_policy_compliant: { nullable: 'boolean' },
    content_refresh_locked: 'boolean',
  },
  includes: {
    permissions: { permissions: { list: { oneOf: CAPABILITIES } } },
    task_counts: {
      task_counts: {
        object: { total: 'integer', complete: 'integer', incomplete: 'integer', not_applicable: 'integer' },
      },
    },
  },
  expands: {
    creator: { creator: 'user' },
    risk_policy: { risk_policy: { nullable: { object: riskPolicyFields } } },
  },
  filters: {
    id: integer('id'),
    external_id: text('external_id'),
    name: text('name'),
    slug: text('slug'),
    application: integer('application'),
    business_unit: integer('business_unit'),
    parent: integer('parent'),
    profile: reference((row) => (row['profile'] as { id: string } | null)?.id ?? null, 'CP999'),
    risk_policy: integer('risk_policy'),
    risk_policy_compliant: boolean('risk_policy_compliant'),
    tag: element('tags', { repeatable: true }),
    components: reference('components', 'CSC999'),
    creator: integer('creator'),
    active,
    ...times,
  },
  orderings,
  defaultOrdering: 'id',
  search: ({ name, description }) => [String(name), String(description)],
  switches: ['absolute_urls'],
  seed: async (test, { api, admin }) => {
    const policy = await bodyOf(api.post<{ id: number }>('/risk-policies/', { name: unique('Policy') }), 201);
    const lead = await test.newUser({ role: 'UR2' });
    const applications = [await makeApplication(api, { tags: ['shop'] }), await makeApplication(api)];
    let parent: number | null = null;
    for (const [index, title] of ODD_TITLES.entries()) {
      const created: { id: number } = await bodyOf(
        (index % 2 ? api : lead.api).post<{ id: number }>('/projects/', {
          name: unique(title),
          application: applications[index % 2]?.id,
          description: index % 2 ? `What ${title} is.` : '',
          profile: [null, 'P1', 'P2'][index % 3],
          tags: ['shop', 'odd,tag', '%'].slice(0, index % 4),
          parent: index % 3 ? null : parent,
          risk_policy: index % 2 ? policy.id : null,
          users: [{ id: admin.id, role: 'PR3' }].slice(index % 2),
        }),
        201,
      );
      parent = created.id;
    }
    await test.database.query(
      `UPDATE project SET risk_policy_compliant = id % 2 = 0, survey_complete = true WHERE organization_id = $1
        AND id % 3 > 0`,
      [test.organization.id],
    );
  },
  derive: async (test) => {
    const placed = await test.database.query<{ id: string; unit: string; components: string[] }>(
      `SELECT p.id, a.business_unit_id AS unit, ARRAY(SELECT c.item_id FROM project_component pc
         JOIN component c ON c.id = pc.component_id WHERE pc.project_id = p.id) AS components
       FROM project p JOIN application a ON a.id = p.application_id`,
    );
    const byId = new Map(placed.map((row) => [Number(row.id), row]));
    return (row) => {
      const { unit, components } = byId.get(row['id'] as number) ?? { unit: null, components: [] };
      return { ...row, business_unit: Number(unit), components };
    };
  },
  create: {
    status: 201,
    body: async (api) => ({ name: unique('Project'), application: (await makeApplication(api)).id }),
  },
};

const diagrams: Resource = {
  name: 'project diagrams',
  path: '/project-diagrams/',
  key,
  methods,
  owner: 'caller',
  fields: {
    id: 'integer',
    project: 'integer',
    name: 'string',
    diagram_data: { object: { nodes: 'strings' } },
    created: 'time',
    updated: 'time',
  },
  filters: { id: integer('id'), project: integer('project'), name: text('name'), ...times },
  orderings,
  defaultOrdering: 'id',
  search: ({ name }) => [String(name)],
  seed: async (test, { api }) => {
    const projects = [await makeProject(test), await makeProject(test)];
    for (const [index, title] of ODD_TITLES.entries()) {
      const body = { name: unique(title), project: projects[index % 2]?.id, diagram_data: { nodes: [title] } };
      await bodyOf(api.post('/project-diagrams/', body), 201);
    }
  },
  create: {
    status: 201,
    body: async (api) => {
      const project = { name: unique('Project'), application: (await makeApplication(api)).id };
      const { id } = await bodyOf(api.post<{ id: number }>('/projects/', project), 201);
      return { project: id, name: unique('Diagram'), diagram_data: { nodes: ['a'] } };
    },
  },
};

const taskStatuses: Resource = {
  name: 'task statuses',
  path: '/task-statuses/',
  key: { field: 'id', shape: /^TS[123]$/, absent: 'TS9' },
  methods: { list: ['GET'], item: ['GET'] },
  fields: {
    id: { shape: /^TS[123]$/ },
    meaning: { oneOf: ['DONE', 'TODO', 'NA'] },
    name: { oneOf: ['Complete', 'Incomplete', 'Not Applicable'] },
    slug: 'string',
    icon: { oneOf: ['check', 'clock-o', 'minus-circle'] },
  },
  filters: {
    id: publicId('TS9'),
    meaning: choice('meaning', ['DONE', 'TODO', 'NA']),
    name: text('name'),
    slug: text('slug'),
  },
  orderings: { id: byField('id'), name: byText('name'), meaning: byField('meaning') },
  defaultOrdering: 'id',
  search: ({ name }) => [String(name)],
};

const projectRoles: Resource = {
  name: 'project roles',
  path: '/project-roles/',
  key: { field: 'id', shape: /^PR[12345]$/, absent: 'PR9' },
  methods: { list: ['GET'] },
  fields: {
    id: { shape: /^PR[12345]$/ },
    name: { oneOf: ['Lead', 'Architect', 'Tester', 'Developer', 'Reader'] },
    permissions: {
      list: { oneOf: ['attributes', 'notes', 'project', 'status', 'survey', 'tasks', 'verification'] },
    },
  },
  filters: { id: publicId('PR9'), name: text('name') },
  orderings: { id: byField('id'), name: byText('name') },
  defaultOrdering: 'id',
  search: ({ name }) => [String(name)],
};

/** Projects, their applications and business units, and related resources. */
export const PROJECTS: readonly Resource[] = [
  riskPolicies,
  businessUnits,
  applications,
  projects,
  diagrams,
  taskStatuses,
  projectRoles,
];
