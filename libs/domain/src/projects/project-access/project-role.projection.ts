import { sql } from 'kysely';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { PROJECT_ROLES } from '../../kernel/project-role.js';
import { CAPABILITIES, ROLES_IN_PROJECTS } from './project-roles.js';

const ID = /^PR[1-9]\d{0,8}$/;

const ROLES = JSON.stringify(
  PROJECT_ROLES.map((id) => ({
    id,
    name: ROLES_IN_PROJECTS[id].name,
    permissions: ROLES_IN_PROJECTS[id].capabilities,
  })),
);

const idOrder = [sql`item.id`];

/** The roles that members have in projects, which are the same for all organizations. */
export const projectRoleProjection = projection({
  name: 'ProjectRole',
  source: () => [
    {
      table: sql`(SELECT * FROM json_to_recordset(${ROLES}::json) AS role(id text, name text, permissions json))`,
      where: sql`true`,
    },
  ],
  key: { shape: ID, column: sql`item.id`, order: idOrder },
  fields: {
    id: { sql: sql`item.id`, schema: schema.string({ enum: PROJECT_ROLES, example: 'PR1' }) },
    name: { sql: sql`item.name`, schema: schema.string({ example: 'Lead' }) },
    permissions: {
      sql: sql`item.permissions`,
      schema: schema.list(schema.string({ enum: CAPABILITIES }), {
        description: 'What the role allows besides reading, as in `permissions` of a project. Sorted.',
      }),
    },
  },
  filters: { id: filters.publicId(sql`item.id`, ID), name: filters.text(sql`item.name`, 'Its name.') },
  orderings: { id: idOrder, name: [sql`lower(item.name)`] },
  defaultOrdering: 'id',
  search: { text: sql`item.name`, fields: ['name'] },
});
