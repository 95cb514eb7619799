import type { TestApi, TestOrganization } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { makeConnector } from '../support/connectors.js';
import { makeApplication, makeBusinessUnit } from '../support/projects.js';
import * as filters from './filters.js';
import { byTime } from './resources.js';
import { byField, type Resource } from './table.js';

/** The project whose connections are tested. Everyone in its organization can read it. */
const PROJECT = 4246;
const BASE = `/projects/${PROJECT}/verification-connections/`;

const makeTool = async ({ api }: Pick<TestOrganization, 'api'>): Promise<number> =>
  (await makeConnector(api, '/connectors/analysis/')).id;

/** Creates the project once. */
async function makeProject(test: TestApi, { id, api, admin }: TestOrganization): Promise<void> {
  const unit = await makeBusinessUnit(api, { all_users: true });
  const application = await makeApplication(api, { business_unit: unit.id });
  await test.database.query(
    `INSERT INTO project (id, organization_id, application_id, name, slug, creator_id, content_refresh_locked)
     OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, 'Verified', 'verified', $4, true) ON CONFLICT DO NOTHING`,
    [PROJECT, id, application.id, admin.id],
  );
}

/** Connections of projects to verification tools. */
export const VERIFICATION_CONNECTIONS: readonly Resource[] = [
  {
    name: 'verification connections of a project',
    path: BASE,
    key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
    methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
    writers: 'project',
    fields: {
      id: 'integer',
      connector: 'integer',
      project_key: 'string',
      branch: 'string',
      frequency: { oneOf: ['manually', 'hourly', 'daily', 'weekly'] },
      merge: { oneOf: ['replace', 'replace_same_tool', 'combine'] },
      update_status: 'boolean',
      next_run: { nullable: 'time' },
      last_run: { nullable: 'time' },
      error: { nullable: 'string' },
      tasks_verified: 'integer',
      created: 'time',
      updated: 'time',
    },
    filters: { id: filters.integer('id') },
    orderings: { id: byField('id'), created: byTime('created'), updated: byTime('updated') },
    defaultOrdering: 'id',
    search: (row) => [String(row['project_key'])],
    seed: async (test, organization) => {
      await makeProject(test, organization);
      for (const project of ['100% web', 'web_shop', 'Zweiter Übergang', 'a\\b', 'Other']) {
        const body = { connector: await makeTool(organization), project_key: project, frequency: 'daily' };
        await bodyOf(organization.api.post(BASE, body), 201);
      }
    },
    create: {
      status: 201,
      body: async (api) => ({
        connector: await makeTool({ api }),
        project_key: 'acme:shop',
        branch: 'release',
        frequency: 'manually',
        merge: 'combine',
        update_status: true,
      }),
    },
  },
];
