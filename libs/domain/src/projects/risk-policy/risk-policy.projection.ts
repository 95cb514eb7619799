import { sql } from 'kysely';
import { jsonObject } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { RANKED_VERIFICATION_STATUSES } from './risk-policy.fields.js';
import { times } from '../../access/user/authorship.projection.js';

const idOrder = [sql`item.id`];

const fieldsOf = (alias: string) => {
  const column = (name: string): Sql => sql.ref(`${alias}.${name}`);
  return {
    id: { sql: column('id'), schema: schema.integer({ example: 1 }) },
    name: { sql: column('name'), schema: schema.string({ example: 'Everything urgent is done' }) },
    description: { sql: column('description'), schema: schema.string() },
    filters: {
      sql: column('filters'),
      schema: schema.object(
        {
          phases: schema.list(schema.string({ example: 'X3' }), { description: 'Ids of phases.' }),
          priority: schema.list(schema.integer({ minimum: 1, maximum: 10 }), { description: 'Priorities.' }),
          tags: schema.list(schema.string({ example: 'pci' }), { description: 'Any of these tags.' }),
        },
        { description: 'The countermeasures that it selects; an empty list does not restrict them.' },
      ),
    },
    conditions: {
      sql: column('conditions'),
      schema: schema.object(
        {
          statuses: schema.list(
            schema.object({
              task_status: schema.string({ example: 'TS1' }),
              minimum_verification_status: schema.string({ enum: RANKED_VERIFICATION_STATUSES }),
            }),
          ),
        },
        {
          description: 'The allowed statuses of these countermeasures; an empty list allows any.',
        },
      ),
    },
    is_org_default: {
      sql: column('is_org_default'),
      schema: schema.boolean({
        description: 'Whether it applies to projects without a policy of their own or of their business unit.',
      }),
    },
  };
};

const fields = fieldsOf('item');

/** A risk policy as an object, for `expand`; null without one. */
export const riskPolicyObject = (id: Sql): Sql =>
  sql`(SELECT ${jsonObject(Object.fromEntries(Object.entries(fieldsOf('r')).map(([name, field]) => [name, field.sql])))}
    FROM risk_policy r WHERE r.id = ${id})`;

export const riskPolicySchema = schema.object(
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])),
);

export const riskPolicyProjection = projection({
  name: 'RiskPolicy',
  source: ({ organization }) => [
    { table: sql.table('risk_policy'), where: sql`item.organization_id = ${organization}` },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: idOrder, numeric: true },
  fields: {
    ...fields,
    ...times.fields,
  },
  filters: {
    id: filters.integer(sql`item.id`, 'Its id.'),
    name: filters.text(sql`item.name`, 'Its name.'),
    is_org_default: filters.boolean(sql`item.is_org_default`, 'Whether it is the default one.'),
    ...times.filters,
  },
  orderings: {
    id: idOrder,
    name: [sql`lower(item.name)`],
    is_org_default: [sql`item.is_org_default`],
    ...times.orderings,
  },
  defaultOrdering: 'id',
  search: { text: sql`item.name || E'\\n' || item.description`, fields: ['name', 'description'] },
});
