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
  create: {
    status: 201,
    body: () => Promise.resolve({ name: 'Security', url: WEBHOOK_URL, description: 'New projects', active: false }),
  },
};

/** Webhooks that the tables of this file are about: ids are given in order, and nothing else makes any before. */
const [FIRST, SECOND] = [1001, 1002];

/** Makes the two webhooks whose parts are looked at, under ids that a path can name beforehand. */
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
  seed: async (test, organization) => {
    await seedWebhooks(test, organization);
    // There is one event today: the others stand for those of a later release.
    await test.database.query(
      `INSERT INTO webhook_config (webhook_id, event_source, active)
       SELECT $1, 'Event' || n || 'Activity', n % 2 = 0 FROM generate_series(1, 7) n`,
      [FIRST],
    );
  },
  create: { status: 201, body: () => Promise.resolve({ event_source: 'CreatedProjectActivity', active: false }) },
};

/** Webhooks and what belongs to them. */
export const WEBHOOKS: readonly Resource[] = [webhooks, configs];
