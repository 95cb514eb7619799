import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { visibleBusinessUnit } from '../project-access/business-unit-visibility.js';
import { groupMembers, userMembers } from '../project/project-members.sql.js';
import { times } from '../../access/user/authorship.projection.js';

const idOrder = [sql`item.id`];

const MEMBERS = {
  table: 'business_unit_member',
  where: sql`m.business_unit_id = item.id AND m.project_role IS NULL`,
};
const DEFAULT_MEMBERS = {
  table: 'business_unit_member',
  where: sql`m.business_unit_id = item.id AND m.project_role IS NOT NULL`,
  role: 'project_role',
};

/** Business units that the caller can see. */
export const businessUnitProjection = projection({
  name: 'BusinessUnit',
  source: (context) => [{ table: sql.table('business_unit'), where: visibleBusinessUnit('item', context) }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: idOrder, numeric: true },
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.' }),
    name: column(schema.string({ example: 'Retail' }), { filter: 'Its name.', sortable: true }),
    slug: column(schema.string({ example: 'retail' }), { filter: 'Its slug.' }),
    users: userMembers(MEMBERS, 'Users who belong to it.'),
    groups: groupMembers(MEMBERS, 'Groups that belong to it.'),
    default_users: userMembers(DEFAULT_MEMBERS, 'Users who become members of each new project in it.'),
    default_groups: groupMembers(DEFAULT_MEMBERS, 'Groups that become members of each new project in it.'),
    all_users: column(schema.boolean({ description: 'Whether everyone in the organization sees its projects.' }), {
      filter: 'Whether everyone in the organization can see its projects.',
    }),
    persist_phases: column(
      schema.boolean({ description: 'For compatibility with clients only: has no effect on projects.' }),
    ),
    default_risk_policy: {
      sql: sql`item.default_risk_policy_id`,
      schema: schema.nullable(
        schema.integer({
          description: 'Id of the risk policy of its projects without one of their own; null: the default one.',
          example: 1,
        }),
      ),
    },
    ...times.fields,
  },
  filters: {
    default_risk_policy: filters.integer(sql`item.default_risk_policy_id`, 'The default risk policy of its projects.'),
    ...times.filters,
  },
  orderings: {
    id: idOrder,
    ...times.orderings,
  },
  defaultOrdering: 'id',
  search: { text: sql`item.name`, fields: ['name'] },
});
