import type { TestApi, TestOrganization } from '../support/api.js';
import { bodyOf, rowsOf } from '../support/client.js';
import type { List } from '../support/resources.js';
import { makeComponent, makeCountermeasure, makeThreat, makeWeakness, unique } from '../support/factories.js';
import { addCountermeasures, addComponents, addRisks } from '../support/project-content.js';
import { makeApplication, makeBusinessUnit } from '../support/projects.js';
import {
  boolean,
  choice,
  element,
  type FilterContract,
  integer,
  namedReference,
  publicId,
  reference,
  text,
  time,
} from './filters.js';
import { byTime, ODD_TITLES, userId } from './resources.js';
import { byField, byId, byText, type FieldType, type FieldTypes, type Resource, type SortKey } from './table.js';
import type { Row } from './filters.js';

/** The project with all of this content. Everyone in its organization can read it. */
const PROJECT = 4242;
const base = `/projects/${PROJECT}/`;

const STATUSES = ['TS1', 'TS2', 'TS3'];
const VERIFICATIONS = ['none', 'pass', 'partial', 'fail'];
const OWN = { title: 'Own', text: 'What to do.', phase: 'X3', priority: 4 };

/** Priorities of the project's countermeasures, by their ids. */
const priorities = new Map<string, number>();

/** Fills the project once, regardless of its survey. */
async function fill(test: TestApi, { id: organization, api, admin }: TestOrganization): Promise<void> {
  const [known] = await test.database.query('SELECT 1 FROM project WHERE id = $1', [PROJECT]);
  if (known) return;
  const unit = await makeBusinessUnit(api, { all_users: true });
  const application = await makeApplication(api, { business_unit: unit.id });
  await test.database.query(
    `INSERT INTO project (id, organization_id, application_id, name, slug, creator_id, content_refresh_locked)
     OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, 'Contract', 'contract', $4, true)`,
    [PROJECT, organization, application.id, admin.id],
  );
  const project = { id: PROJECT, name: 'Contract', businessUnit: unit.id, application: application.id };
  const created = { tasks: [] as string[], risks: [] as string[], components: [] as string[] };
  for (const [index, title] of ODD_TITLES.entries()) {
    const weakness = await makeWeakness(api, {
      title: unique(title),
      risk_rating: 1 + index,
      cwe: [79, 89].slice(index % 3),
    });
    const task = await makeCountermeasure(api, { title: unique(title), problem: weakness.id, priority: 1 + index });
    const threat = await makeThreat(api, {
      title: unique(title),
      severity: 1 + index,
      problems: [weakness.id],
      capecs: [66],
    });
    const component = await makeComponent(api, { title: unique(title), hidden: false });
    created.tasks.push(task.id);
    created.risks.push(weakness.id, threat.id);
    created.components.push(component.id);
  }
  await addCountermeasures(test, project, ['T1', 'T2', 'T3', ...created.tasks]);
  await addRisks(test, project, ['P1', 'TH1', ...created.risks]);
  await addComponents(test, project, ['SC1', ...created.components]);
  for (const [index, id] of created.tasks.entries()) {
    const changes = {
      status: STATUSES[index % 3],
      assigned_to: [admin.email].slice(index % 2),
      ...(index % 2 && { tags: ['ours', 'odd,tag', '%'].slice(index % 3), artifact_proxy: `SHOP-${index}` }),
    };
    await bodyOf(api.patch(`${base}tasks/${id}/`, changes));
    if (index % 2)
      await bodyOf(api.post(`${base}tasks/${id}/analysis-notes/`, { status: VERIFICATIONS[1 + (index % 3)] }), 201);
    await bodyOf(
      api.patch(`/library/components/${created.components[index]}/`, {
        tasks_implemented: [id],
        tasks_introduced: ['T1'],
      }),
    );
  }
  for (const title of ODD_TITLES.slice(0, 4)) {
    await bodyOf(api.post(`${base}tasks/`, { ...OWN, title: unique(title) }), 201);
    await bodyOf(api.post(`${base}tasks/T1/notes/`, { text: unique(title) }), 201);
    await bodyOf(
      api.post(`${base}tasks/T1/analysis-notes/`, {
        status: 'pass',
        analysis_session: unique(title),
        findings: [{ desc: title, count: 2 }],
      }),
      201,
    );
  }
  await bodyOf(api.post(`${base}tasks/`, { task_id: 'T9' }), 201);
  await test.database.query(`UPDATE project_countermeasure SET relevant = false WHERE project_id = $1 AND id % 3 = 0`, [
    PROJECT,
  ]);
  await test.database.query(
    `INSERT INTO project_attribute_source (project_id, attribute_id, type, ref, reason)
     SELECT $1, id, CASE WHEN number % 2 = 0 THEN 'survey' ELSE 'manual' END, CASE WHEN number % 2 = 0 THEN 'A1'
       ELSE '' END, 'x'
     FROM attribute WHERE organization_id IS NULL AND number < 8`,
    [PROJECT],
  );
  const rows = await rowsOf(api.get<List<{ task_id: string; priority: number }>>(`${base}tasks/`));
  for (const { task_id: id, priority } of rows) priorities.set(id, priority);
}

const byTask = (row: Row): SortKey[] => {
  const id = String(row['task_id']);
  return [id.startsWith('PT') ? 2 : id.startsWith('C') ? 1 : 0, Number(/\d+$/.exec(id)?.[0])];
};

/** All rows are accepted here. */
const accepted: FilterContract = {
  suffixes: ['', '__in', '__isnull'],
  cases: (name) => [
    ...['true', 'True', '1', 'all'].map((value) => ({ parameter: name, value, matches: () => true })),
    ...['false', '0'].map((value) => ({ parameter: name, value, matches: () => false })),
    ...['true', 'true,false'].map((value) => ({ parameter: `${name}__in`, value, matches: () => true })),
    { parameter: `${name}__in`, value: 'false', matches: () => false },
    { parameter: `${name}__isnull`, value: 'false', matches: () => true },
    { parameter: `${name}__isnull`, value: 'true', matches: () => false },
  ],
  invalid: { '': ['maybe', '2', 'true,false'], __in: ['all', 'true,maybe'], __isnull: ['all'] },
  valid: 'true',
};

const times = { created: time('created'), updated: time('updated') };
const cwe: FieldType = { list: { object: { id: 'integer', title: 'string', url: 'string' } } };
const problemObject: FieldTypes = {
  problem: {
    nullable: {
      object: {
        id: { shape: /^C?P\d+$/ },
        db_id: 'integer',
        risk_rating: 'integer',
        title: 'string',
        text: 'string',
        cwe,
      },
    },
  },
};
const part: FieldTypes = { id: 'string', title: 'string', text: 'string' };

const TASK: Pick<
  Resource,
  'fields' | 'includes' | 'expands' | 'orderings' | 'defaultOrdering' | 'search' | 'switches' | 'seed'
> = {
  fields: {
    id: { shape: /^\d+-(C?T|PT)\d+$/ },
    task_id: { shape: /^(C?T|PT)\d+$/ },
    url: { shape: /^\/projects\/\d+\/tasks\/\d+-(C?T|PT)\d+\/$/ },
    title: 'string',
    text: 'string',
    priority: 'integer',
    phase: { shape: /^C?X\d+$/ },
    problem: { nullable: { shape: /^C?P\d+$/ } },
    status: { oneOf: STATUSES },
    verification_status: { oneOf: VERIFICATIONS },
    relevant: 'boolean',
    importance: 'integer',
    relevant_via_survey: 'boolean',
    accepted: 'boolean',
    manually_added_from_library: 'boolean',
    project_specific: 'boolean',
    ad_hoc: 'boolean',
    assigned_to: {
      list: {
        object: {
          id: 'integer',
          email: 'string',
          first_name: 'string',
          last_name: 'string',
          is_active: 'boolean',
          role: { object: { id: { shape: /^(UR|CU)\d+$/ }, name: 'string' } },
        },
      },
    },
    inclusion_reason: 'string',
    note_count: 'integer',
    artifact_proxy: 'string',
    became_relevant: { nullable: 'time' },
    status_updated: { nullable: 'time' },
    updated: 'time',
    updater: { nullable: 'user' },
    library_task_created: { nullable: 'time' },
    library_task_updated: { nullable: 'time' },
  },
  includes: {
    problem: problemObject,
    tags: { tags: 'strings' },
    amendments: { amendments: { list: { object: { ...part, ordinal: 'integer' } } } },
    how_tos: { how_tos: { list: { object: { ...part, slug: 'string', url: 'string' } } } },
  },
  expands: {
    phase: {
      phase: {
        object: {
          id: { shape: /^C?X\d+$/ },
          db_id: 'integer',
          name: 'string',
          slug: 'string',
          description: 'string',
          tip: 'string',
          ordinal: 'integer',
          active: 'boolean',
          is_custom: 'boolean',
          retain: 'boolean',
        },
      },
    },
    problem: problemObject,
    project: { project: { object: { id: 'integer', name: 'string', url: 'string' } } },
    status: {
      status: {
        object: { id: { oneOf: STATUSES }, meaning: 'string', name: 'string', slug: 'string', icon: 'string' },
      },
    },
  },
  orderings: {
    id: byTask,
    title: byText('title'),
    accepted: byField('accepted'),
    became_relevant: byTime('became_relevant'),
    importance: byField('importance'),
    phase: (row) => [Number(String(row['phase']).slice(1))],
    priority: byField('priority'),
    relevant: byField('relevant'),
    status: byField('status'),
    status_updated: byTime('status_updated'),
    updated: byTime('updated'),
    verification_status: (row) => [VERIFICATIONS.indexOf(String(row['verification_status']))],
  },
  defaultOrdering: 'id',
  search: ({ task_id: id, title }) => [String(id), String(title)],
  switches: ['absolute_urls', 'to_html'],
  seed: fill,
};

const taskFilters = {
  accepted: boolean('accepted'),
  artifact_proxy: text('artifact_proxy'),
  assigned_to: namedReference(
    (row) => (row['assigned_to'] as { email: string }[]).map(({ email }) => email),
    'nobody@example.com',
  ),
  became_relevant: time('became_relevant'),
  id: publicId(`${PROJECT}-T999999`),
  importance: integer('importance', { minimum: 1, maximum: 100 }),
  manually_added_from_library: boolean('manually_added_from_library'),
  phase: reference('phase', 'X99'),
  priority: integer('priority', { minimum: 1, maximum: 10 }),
  problem: reference((row) => (row['problem'] as { id: string } | null)?.id ?? null, 'P999999'),
  project_specific: boolean('project_specific'),
  relevant: boolean('relevant'),
  relevant_via_survey: boolean('relevant_via_survey'),
  // The default risk policy includes priorities from 7 on.
  risk_relevant: boolean((row) => Number(row['priority']) >= 7),
  status: choice('status', STATUSES),
  status_updated: time('status_updated'),
  tag: element('tags', { repeatable: true }),
  task_id: publicId('PT999999', 'task_id'),
  title: text('title'),
  updated: time('updated'),
  verification: choice('verification_status', VERIFICATIONS),
};

const taskKey = { field: 'id', shape: /^4242-(C?T|PT)\d+$/, absent: `${PROJECT}-T999999` };

const tasks: Resource = {
  ...TASK,
  name: 'countermeasures of a project',
  path: `${base}tasks/`,
  facets: true,
  key: taskKey,
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  writers: { POST: 'tasks', PATCH: 'status', DELETE: 'tasks' },
  filters: { ...taskFilters, accepted },
  create: { status: 201, body: () => Promise.resolve({ ...OWN, title: unique('Own') }) },
};

const taskUpdates: Resource = {
  ...TASK,
  name: 'countermeasures of a project that need a decision',
  path: `${base}task-updates/`,
  facets: true,
  key: taskKey,
  methods: { list: ['GET'] },
  filters: taskFilters,
};

const ownTasks: Resource = {
  ...TASK,
  name: 'countermeasures assigned to the caller',
  path: '/users/me/tasks/',
  facets: true,
  key: taskKey,
  methods: { list: ['GET'] },
  owner: 'caller',
  filters: { ...taskFilters, accepted, project: integer(() => PROJECT) },
};

const weaknessTasks: Resource = {
  name: 'accepted countermeasures of a weakness of a project',
  path: `${base}problems/P1/tasks/`,
  key: taskKey,
  methods: { list: ['GET'] },
  fields: {
    id: TASK.fields['id'] ?? 'string',
    task_id: TASK.fields['task_id'] ?? 'string',
    title: 'string',
    assigned_to: TASK.fields['assigned_to'] ?? 'string',
    status: { oneOf: STATUSES },
    risk_relevant: 'boolean',
  },
  expands: { status: TASK.expands?.['status'] ?? {} },
  filters: {
    assigned_to: taskFilters.assigned_to,
    // The list shows no priorities.
    priority: integer((row) => priorities.get(String(row['task_id'])) ?? null, { minimum: 1, maximum: 10 }),
    risk_relevant: boolean('risk_relevant'),
    status: taskFilters.status,
  },
  orderings: { id: byTask, title: byText('title'), status: byField('status') },
  defaultOrdering: 'id',
  search: TASK.search,
  seed: fill,
};

const number = { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' };
const around: FieldTypes = {
  created: 'time',
  updated: 'time',
  updater: { nullable: 'user' },
  task: { shape: /^4242-T1$/ },
};
const noteOrderings = { id: byField('id'), created: byTime('created'), updated: byTime('updated') };
const noteMethods = { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] };
const analysisNoteMethods = { list: ['GET', 'POST'], item: ['GET', 'PATCH'] };

const notes: Resource = {
  name: 'notes of a countermeasure',
  path: `${base}tasks/T1/notes/`,
  key: number,
  methods: noteMethods,
  writers: 'notes',
  fields: { id: 'integer', text: 'string', automatic: 'boolean', ...around },
  filters: { id: integer('id'), automatic: boolean('automatic'), ...times },
  orderings: noteOrderings,
  defaultOrdering: 'id',
  search: ({ text: words }) => [String(words)],
  switches: ['to_html'],
  seed: fill,
  create: { status: 201, body: () => Promise.resolve({ text: unique('Note') }) },
};

const FOUND = ['pass', 'partial', 'fail'];

const analysisNotes: Resource = {
  name: 'analysis notes of a countermeasure',
  path: `${base}tasks/T1/analysis-notes/`,
  key: number,
  methods: analysisNoteMethods,
  writers: 'verification',
  fields: {
    id: 'integer',
    status: { oneOf: FOUND },
    behaviour: { oneOf: ['combine', 'replace'] },
    confidence: { oneOf: ['low', 'high'] },
    findings: { list: { object: { desc: 'string', count: 'integer' } } },
    finding_ref: 'string',
    findings_ref: 'string',
    analysis_session: { nullable: 'string' },
    analysis_type: { object: { slug: { oneOf: ['manual', 'automated'] }, name: 'string' } },
    ...around,
  },
  filters: {
    id: integer('id'),
    analysis_session: text('analysis_session'),
    confidence: choice('confidence', ['low', 'high']),
    status: choice('status', FOUND),
    ...times,
  },
  orderings: { ...noteOrderings, status: (row) => [FOUND.indexOf(String(row['status']))] },
  defaultOrdering: 'id',
  search: ({ analysis_session: session, finding_ref: ref }) => [String(session ?? ''), String(ref)],
  seed: fill,
  create: { status: 201, body: () => Promise.resolve({ status: 'fail', findings: [{ desc: 'x', count: 3 }] }) },
};

const readOnly = { list: ['GET'], item: ['GET'] };

const attributes: Resource = {
  name: 'attributes of a project',
  path: `${base}attributes/`,
  key: { field: 'id', shape: /^C?AT\d+$/, absent: 'CAT999999' },
  methods: readOnly,
  fields: {
    id: { shape: /^C?AT\d+$/ },
    name: 'string',
    active: 'boolean',
    sources: {
      list: {
        object: {
          type: { oneOf: ['survey', 'component', 'implied', 'manual'] },
          ref: { nullable: 'string' },
          reason: 'string',
          added_by: { nullable: 'user' },
          added: 'time',
        },
      },
    },
  },
  filters: { id: publicId('CAT999999'), name: text('name'), active: boolean('active') },
  orderings: { id: byId, name: byText('name'), active: byField('active') },
  defaultOrdering: 'id',
  search: ({ id, name }) => [String(id), String(name)],
  seed: fill,
};

const ids = (shape: RegExp): FieldType => ({ list: { shape } });
const TASKS = ids(/^4242-(C?T|PT)\d+$/);

const weaknesses: Resource = {
  name: 'weaknesses of a project',
  path: `${base}problems/`,
  key: { field: 'id', shape: /^C?P\d+$/, absent: 'CP999999' },
  methods: readOnly,
  fields: {
    id: { shape: /^C?P\d+$/ },
    url: { shape: /^\/library\/problems\/C?P\d+\/$/ },
    title: 'string',
    text: 'string',
    risk_rating: 'integer',
    category: 'string',
    cwe: 'integers',
    tasks: TASKS,
    created: 'time',
  },
  filters: {
    id: publicId('CP999999'),
    category: text('category'),
    cwe: element('cwe', { integers: true }),
    risk_rating: integer('risk_rating', { minimum: 0, maximum: 10 }),
    title: text('title'),
  },
  orderings: { id: byId, risk_rating: byField('risk_rating'), title: byText('title') },
  defaultOrdering: 'id',
  search: ({ id, title }) => [String(id), String(title)],
  switches: ['absolute_urls', 'to_html'],
  seed: fill,
};

const threats: Resource = {
  name: 'threats of a project',
  path: `${base}threats/`,
  key: { field: 'id', shape: /^4242-C?TH\d+$/, absent: `${PROJECT}-TH999999` },
  methods: readOnly,
  fields: {
    id: { shape: /^4242-C?TH\d+$/ },
    threat_id: { shape: /^C?TH\d+$/ },
    title: 'string',
    text: 'string',
    severity: 'integer',
    status: { oneOf: ['Mitigated', 'Unmitigated'] },
    problems: ids(/^C?P\d+$/),
    tasks: TASKS,
    capecs: 'integers',
    maestro: 'strings',
    mitre_attack: 'strings',
    mitre_emb3d: 'strings',
    stride: 'strings',
    created: 'time',
  },
  filters: {
    id: publicId(`${PROJECT}-TH999999`),
    problem: reference('problems', 'P999999'),
    severity: integer('severity', { minimum: 1, maximum: 10 }),
    status: choice('status', ['Mitigated', 'Unmitigated']),
    threat_id: publicId('TH999999', 'threat_id'),
    title: text('title'),
  },
  orderings: {
    id: (row) => byId({ id: row['threat_id'] ?? null }),
    severity: byField('severity'),
    status: byField('status'),
    title: byText('title'),
  },
  defaultOrdering: 'id',
  search: ({ threat_id: id, title }) => [String(id), String(title)],
  switches: ['to_html'],
  // Threats of the library also refer to weaknesses that the project does not have.
  seed: async (test, organization) => {
    await fill(test, organization);
    await test.database.query(
      `DELETE FROM project_threat USING threat t WHERE project_id = $1 AND t.id = threat_id
        AND t.organization_id IS NULL`,
      [PROJECT],
    );
  },
};

const component: Pick<Resource, 'key' | 'defaultOrdering' | 'search' | 'seed' | 'orderings'> = {
  key: { field: 'id', shape: /^C?SC\d+$/, absent: 'CSC999999' },
  orderings: { id: byId, title: byText('title') },
  defaultOrdering: 'id',
  search: ({ id, title }) => [String(id), String(title)],
  seed: fill,
};

const components: Resource = {
  ...component,
  name: 'components of a project',
  path: `${base}components/`,
  methods: readOnly,
  fields: {
    id: { shape: /^C?SC\d+$/ },
    title: 'string',
    url: { shape: /^\/library\/components\/C?SC\d+\/$/ },
    type: { oneOf: ['Built-in', 'Built-in Modified', 'Custom'] },
    description: 'string',
    category: 'string',
    tasks_implemented: ids(/^C?T\d+$/),
    tasks_introduced: ids(/^C?T\d+$/),
    implied_attributes: ids(/^C?AT\d+$/),
    icon_slug: 'string',
    icon_url: { shape: /^\/static\/components\/icons\/.+\.svg$/ },
    has_updates: 'boolean',
    added: 'time',
    taken: 'time',
  },
  filters: {
    id: publicId('CSC999999'),
    title: text('title'),
    category: text('category'),
    has_updates: boolean('has_updates'),
  },
  switches: ['absolute_urls', 'to_html'],
};

const difference = (shape: RegExp): FieldType => ({ object: { added: ids(shape), removed: ids(shape) } });

const componentUpdates: Resource = {
  ...component,
  name: 'updates of the components of a project',
  path: `${base}component-updates/`,
  methods: { list: ['GET', 'POST'] },
  writers: 'tasks',
  fields: {
    id: { shape: /^C?SC\d+$/ },
    title: 'string',
    tasks_implemented: difference(/^C?T\d+$/),
    tasks_introduced: difference(/^C?T\d+$/),
    implied_attributes: difference(/^C?AT\d+$/),
    updated: 'time',
    taken: 'time',
  },
  filters: { id: publicId('CSC999999'), title: text('title') },
};

const surveyComments: Resource = {
  name: 'comments on the survey of a project',
  path: `${base}survey/comments/`,
  key: number,
  methods: noteMethods,
  writers: 'notes',
  fields: {
    id: 'integer',
    question: { shape: /^C?Q\d+$/ },
    text: 'string',
    pinned: 'boolean',
    locked: 'boolean',
    author: { nullable: 'user' },
    created: 'time',
    updated: 'time',
  },
  filters: {
    id: integer('id'),
    question: reference('question', 'Q999999'),
    pinned: boolean('pinned'),
    locked: boolean('locked'),
    author: integer(userId('author')),
    ...times,
  },
  orderings: { ...noteOrderings, pinned: byField('pinned') },
  defaultOrdering: 'id',
  search: ({ text: words }) => [String(words)],
  seed: async (test, organization) => {
    await fill(test, organization);
    for (const [index, title] of ODD_TITLES.entries()) {
      const comment = { text: unique(title), pinned: index % 2 === 0, locked: index % 3 === 0 };
      await bodyOf(
        organization.api.post(`${base}survey/comments/`, { question: `Q${1 + (index % 2)}`, ...comment }),
        201,
      );
    }
    const { id } = await test.newUser();
    await test.database.query(
      'UPDATE project_survey_comment SET author_id = $2 WHERE project_id = $1 AND mod(id, 3) = 0',
      [PROJECT, id],
    );
  },
  create: { status: 201, body: () => Promise.resolve({ question: 'Q2', text: unique('Comment'), pinned: true }) },
};

/** The content of projects. */
export const PROJECT_CONTENT: readonly Resource[] = [
  tasks,
  taskUpdates,
  ownTasks,
  weaknessTasks,
  notes,
  analysisNotes,
  attributes,
  weaknesses,
  threats,
  components,
  componentUpdates,
  surveyComments,
];
