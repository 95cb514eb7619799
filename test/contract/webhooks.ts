import type { TestApi, TestOrganization } from '../support/api.js';
import { makeWebhook, WEBHOOK_URL } from '../support/webhooks.js';
import { byField, type FieldType, type Resource } from './table.js';

/** UTC with milliseconds. */
const moment: FieldType = { shape: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ };

const webhooks: Resource = {
  name: 'webhooks',
  path: '/webhooks/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  readers: 'super-users',
  writers: 'super-users',
  paged: { defaultSize: 20, maximumSize: 100 },
  fields: {
    id: 'integer',
    name: 'string',
    url: 'string',
    description: 'string',
    integration_type: { oneOf: ['slack'] },
    format: { oneOf: ['slack', 'mattermost', 'teams', 'standard'] },
    active: 'boolean',
    created: moment,
    updated: moment,
  },
  filters: {},
  orderings: { id: byField('id') },
  defaultOrdering: 'id',
  seed: async (_, { api }) => {
    for (let count = 0; count < 23; count += 1) await makeWebhook(api, { active: count % 2 === 0 });
  },
  fill: (test, { id }, rows) =>
    test.database.query(
      `INSERT INTO webhook (organization_id, name, sealed_url)
       SELECT $1, 'Many ' || n, '' FROM generate_series(1, $2::int) n`,
      [id, rows],
    ),
  create: {
    status: 201,
    body: () => Promise.resolve({ name: 'Security', url: WEBHOOK_URL, description: 'New projects', active: false }),
  },
};

/** Ids of two webhooks: ids are assigned in order, and nothing else creates this many webhooks before. */
const [FIRST, SECOND] = [1001, 1002];

/** Creates the two webhooks whose parts are tested, with ids that are known in advance for use in paths. */
async function seedWebhooks(test: TestApi, { id }: TestOrganization): Promise<void> {
  await test.database.query(
    `INSERT INTO webhook (id, organization_id, name, sealed_url) OVERRIDING SYSTEM VALUE
     SELECT n, $1, 'Webhook ' || n, '' FROM unnest($2::bigint[]) n ON CONFLICT DO NOTHING`,
    [id, [FIRST, SECOND]],
  );
}

const configs: Resource = {
  name: 'configurations of webhooks',
  path: `/webhooks/${FIRST}/configs/`,
  elsewhere: (parent) => `/webhooks/${parent}/configs/`,
  emptyParent: String(SECOND),
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  readers: 'super-users',
  writers: 'super-users',
  fields: {
    id: 'integer',
    webhook: 'integer',
    event_source: 'string',
    active: 'boolean',
    created: moment,
    updated: moment,
  },
  filters: {},
  orderings: { id: byField('id') },
  defaultOrdering: 'id',
  search: (row) => [String(row['event_source'])],
  seed: async (test, organization) => {
    await seedWebhooks(test, organization);
    // There is only one event today: the others represent events of later releases.
    await test.database.query(
      `INSERT INTO webhook_config (webhook_id, event_source, active)
       SELECT $1, 'Event' || n || 'Activity', n % 2 = 0 FROM generate_series(1, 7) n`,
      [FIRST],
    );
  },
  create: { status: 201, body: () => Promise.resolve({ event_source: 'CreatedProjectActivity', active: false }) },
};

const STATUSES = ['pending', 'delivered', 'failed', 'cancelled'];

const deliveries: Resource = {
  name: 'deliveries of webhooks',
  path: `/webhooks/${FIRST}/deliveries/`,
  elsewhere: (parent) => `/webhooks/${parent}/deliveries/`,
  emptyParent: String(SECOND),
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET'], item: ['GET'] },
  readers: 'super-users',
  paged: { defaultSize: 100, maximumSize: 1000 },
  fields: {
    id: 'integer',
    status: { oneOf: STATUSES },
    attempts: 'integer',
    response_status: { nullable: 'integer' },
    error: { nullable: 'string' },
    created: moment,
    delivered: { nullable: moment },
    next_attempt: { nullable: moment },
    activity: 'integer',
  },
  filters: {},
  orderings: { id: byField('id') },
  defaultOrdering: '-id',
  search: ({ status, error }) => [status, error ?? []].flat().map(String),
  seed: async (test, organization) => {
    await seedWebhooks(test, organization);
    await test.database.query(
      `INSERT INTO webhook_delivery (webhook_id, activity_id, event_source, status, attempts, response_status, error,
        delivered_at)
       SELECT $1, n, 'CreatedProjectActivity', ($2::text[])[1 + n % 4], n % 3, CASE WHEN n % 2 = 0 THEN 200 END,
         CASE WHEN n % 4 = 2 THEN 'No.' END, CASE WHEN n % 4 = 1 THEN now() END FROM generate_series(1, 130) n`,
      [FIRST, STATUSES],
    );
  },
  fill: (test, _, rows) =>
    test.database.query(
      `INSERT INTO webhook_delivery (webhook_id, activity_id, event_source, status)
       SELECT $1, n, 'CreatedProjectActivity', 'cancelled' FROM generate_series(1001, 1000 + $2::int) n`,
      [FIRST, rows],
    ),
};

/** Webhooks, their configurations and deliveries. */
export const WEBHOOKS: readonly Resource[] = [webhooks, configs, deliveries];
