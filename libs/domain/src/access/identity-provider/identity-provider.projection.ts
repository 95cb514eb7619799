import { sql } from 'kysely';
import { column } from '#query/column.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { PROJECT_ROLES } from '../../kernel/permissions.js';
import { roleId } from '../role/role.projection.js';
import { times } from '../user/authorship.projection.js';
import { DEFAULT_CLAIMS, DEFAULT_SCOPES } from './identity-provider.rules.js';

const idOrder = [sql`item.id`];

/** The providers of the organization. Their client secrets can't be read. */
export const identityProviderProjection = projection({
  name: 'IdentityProvider',
  source: ({ organization }) => [
    { table: sql.table('identity_provider'), where: sql`item.organization_id = ${organization}` },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: idOrder, numeric: true },
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.', sortable: true }),
    name: column(schema.string({ example: 'Example Ltd.' }), { filter: 'Its name.', sortable: true }),
    issuer: column(schema.string({ example: 'https://login.example.com/realms/example' })),
    client_id: column(schema.string({ example: 'merlon' })),
    scopes: {
      sql: sql`to_json(item.scopes)`,
      schema: schema.list(schema.string(), { description: 'What a sign-in requests.', example: DEFAULT_SCOPES }),
    },
    create_users: column(
      schema.boolean({ description: 'Whether people without an account get one when they sign in.' }),
    ),
    default_role: {
      sql: roleId(sql`item.default_role_id`),
      schema: schema.string({
        description: 'The global role of people to whom no mapping gives another one.',
        example: 'UR1',
      }),
    },
    domains: {
      sql: sql`to_json(item.domains)`,
      schema: schema.list(schema.string(), {
        description: 'The domains of the e-mail addresses that this provider verifies.',
        example: ['example.com'],
      }),
    },
    active: column(schema.boolean({ description: 'Whether people can sign in with it.' }), {
      filter: true,
    }),
    claims: column(
      schema.object(
        Object.fromEntries(Object.entries(DEFAULT_CLAIMS).map(([name, example]) => [name, schema.string({ example })])),
        { description: 'The names of the claims that are read.' },
      ),
    ),
    group_mappings: column(
      schema.list(
        {
          type: 'object',
          properties: {
            group: schema.string({ example: 'developers' }),
            role: schema.string({ example: 'UR2' }),
            merlon_group: schema.string({ example: 'G1' }),
            project_role: schema.string({ enum: [...PROJECT_ROLES], example: 'PR4' }),
            business_unit: schema.integer({ example: 1 }),
          },
          required: ['group'],
        },
        { description: 'What members of groups get.' },
      ),
    ),
    ...times.fields,
  },
  filters: times.filters,
  orderings: times.orderings,
  defaultOrdering: 'id',
  search: { text: sql`item.name || E'\\n' || item.issuer`, fields: ['name', 'issuer'] },
});
