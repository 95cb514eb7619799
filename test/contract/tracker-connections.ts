import type { TestApi, TestOrganization } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { makeConnector } from '../support/connectors.js';
import { makeApplication, makeBusinessUnit } from '../support/projects.js';
import * as filters from './filters.js';
import { byTime } from './resources.js';
import { byField, type Resource } from './table.js';

/** The project whose connections are tested. Everyone in its organization can read it. */
const PROJECT = 4245;
const BASE = `/projects/${PROJECT}/issue-tracker-connections/`;

/** A connection with runs and issues, and one without. */
const [FIRST, SECOND] = [4301, 4302];

const key = { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' };

const makeTracker = async ({ api }: Pick<TestOrganization, 'api'>): Promise<number> =>
  (await makeConnector(api, '/connectors/issue-tracker/')).id;

/** Creates the project and both connections once. */
async function fill(test: TestApi, organization: TestOrganization): Promise<void> {
  const { id, api, admin } = organization;
  const [known] = await test.database.query('SELECT 1 FROM project WHERE id = $1', [PROJECT]);
  if (known) return;
  const unit = await makeBusinessUnit(api, { all_users: true });
  const application = await makeApplication(api, { business_unit: unit.id });
  await test.database.query(
    `INSERT INTO project (id, organization_id, application_id, name, slug, creator_id, content_refresh_locked)
     OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, 'Tracked', 'tracked', $4, true)`,
    [PROJECT, id, application.id, admin.id],
  );
  await test.database.query(
    `INSERT INTO tracker_connection (id, organization_id, project_id, connector_id, project_key, title_format,
      statuses_in_scope)
     OVERRIDING SYSTEM VALUE SELECT n, $1, $2, $3, 'SHOP', '$title', '{TS2}' FROM unnest($4::bigint[]) n`,
    [id, PROJECT, await makeTracker(organization), [FIRST, SECOND]],
  );
}

const connections: Resource = {
  name: 'issue tracker connections of a project',
  path: BASE,
  key,
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  writers: 'project',
  fields: {
    id: 'integer',
    connector: 'integer',
    project_key: 'string',
    issue_type: 'string',
    frequency: { oneOf: ['manually', 'hourly', 'daily', 'weekly'] },
    conflict_policy: { oneOf: ['tracker', 'merlon', 'newest'] },
    min_priority: 'integer',
    phases: 'strings',
    statuses_in_scope: 'strings',
    only_risk_relevant: 'boolean',
    title_format: 'string',
    labels: 'strings',
    fields: 'json',
    priority_map: 'json',
    status_to_tracker: 'json',
    tracker_to_status: 'json',
    close_out_of_scope: 'boolean',
    next_run: { nullable: 'time' },
    created: 'time',
    updated: 'time',
  },
  filters: { id: filters.integer('id'), connector: filters.integer('connector') },
  orderings: { id: byField('id'), created: byTime('created'), updated: byTime('updated') },
  defaultOrdering: 'id',
  search: (row) => [String(row['project_key'])],
  seed: async (test, organization) => {
    await fill(test, organization);
    for (const project of ['100% web', 'web_shop', 'Zweiter Übergang', 'a\\b', 'Other'])
      await bodyOf(
        organization.api.post(BASE, {
          connector: await makeTracker(organization),
          project_key: project,
          frequency: project.length % 2 ? 'daily' : 'manually',
        }),
        201,
      );
  },
  create: {
    status: 201,
    body: async (api) => ({
      connector: await makeTracker({ api }),
      project_key: 'acme/shop',
      issue_type: 'Task',
      frequency: 'manually',
      conflict_policy: 'newest',
      min_priority: 5,
      phases: ['X3'],
      statuses_in_scope: ['TS1', 'TS2'],
      only_risk_relevant: true,
      title_format: '[$task_id] $title',
      labels: ['security'],
      fields: { severity: 'high' },
      priority_map: { '10': 'Highest' },
      status_to_tracker: { TS1: 'Closed' },
      tracker_to_status: { Closed: 'TS1' },
      close_out_of_scope: true,
    }),
  },
};

const STATUSES = ['succeeded', 'failed'];

const runs: Resource = {
  name: 'runs of an issue tracker connection',
  path: `${BASE}${FIRST}/runs/`,
  elsewhere: (parent) => `${BASE}${parent}/runs/`,
  emptyParent: String(SECOND),
  key,
  methods: { list: ['GET'], item: ['GET'] },
  paged: { defaultSize: 100, maximumSize: 1000 },
  fields: {
    id: 'integer',
    status: { oneOf: ['pending', 'running', ...STATUSES] },
    created: 'time',
    started: { nullable: 'time' },
    finished: { nullable: 'time' },
    issues_created: 'integer',
    issues_changed: 'integer',
    issues_closed: 'integer',
    tasks_changed: 'integer',
    conflicts: 'integer',
    issues_missing: 'integer',
    issues_failed: 'integer',
    error: { nullable: 'string' },
  },
  filters: {
    id: filters.integer('id'),
    status: filters.choice('status', ['pending', 'running', ...STATUSES]),
  },
  orderings: { id: byField('id') },
  defaultOrdering: '-id',
  search: ({ error }) => [error ?? []].flat().map(String),
  seed: async (test, organization) => {
    await fill(test, organization);
    await test.database.query(
      `INSERT INTO tracker_sync_run (connection_id, status, started_at, finished_at, created, error)
       SELECT $1, ($2::text[])[1 + n % 2], now(), CASE WHEN n % 3 = 0 THEN now() END, n,
         CASE WHEN n % 4 = 1 THEN 'No 100% answer_.' END FROM generate_series(1, 12) n`,
      [FIRST, STATUSES],
    );
  },
  fill: (test, _, rows) =>
    test.database.query(
      `INSERT INTO tracker_sync_run (connection_id, status) SELECT $1, 'failed' FROM generate_series(1, $2::int) n`,
      [FIRST, rows],
    ),
};

const STATES = ['pending', 'synced', 'failed', 'missing', 'out_of_scope'];

const issues: Resource = {
  name: 'issues of an issue tracker connection',
  path: `${BASE}${FIRST}/issues/`,
  elsewhere: (parent) => `${BASE}${parent}/issues/`,
  emptyParent: String(SECOND),
  key,
  methods: { list: ['GET'], item: ['GET'] },
  paged: { defaultSize: 100, maximumSize: 1000 },
  fields: {
    id: 'integer',
    task: { nullable: { shape: new RegExp(`^${PROJECT}-C?P?T\\d+$`) } },
    key: { nullable: 'string' },
    url: { nullable: 'string' },
    state: { oneOf: STATES },
    error: { nullable: 'string' },
    synced: { nullable: 'time' },
  },
  filters: { id: filters.integer('id'), state: filters.choice('state', STATES) },
  orderings: { id: byField('id') },
  defaultOrdering: 'id',
  search: ({ key: issue, error }) => [issue ?? [], error ?? []].flat().map(String),
  seed: async (test, organization) => {
    await fill(test, organization);
    await test.database.query(
      `INSERT INTO tracked_issue (connection_id, status, issue_id, issue_key, url, error, synced_at)
       SELECT $1, ($2::text[])[1 + n % 5], n, CASE WHEN n % 5 > 0 THEN 'SHOP-' || n END, 'https://tracker.example.com',
         CASE WHEN n % 4 = 1 THEN 'No 100% answer_.' END, CASE WHEN n % 3 = 1 THEN now() END
       FROM generate_series(1, 12) n`,
      [FIRST, STATES],
    );
  },
  fill: (test, _, rows) =>
    test.database.query('INSERT INTO tracked_issue (connection_id) SELECT $1 FROM generate_series(1, $2::int) n', [
      FIRST,
      rows,
    ]),
};

/** Connections of projects to issue trackers, their runs and issues. */
export const TRACKER_CONNECTIONS: readonly Resource[] = [connections, runs, issues];
