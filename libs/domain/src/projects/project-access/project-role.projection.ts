import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { PROJECT_ROLES } from '../../kernel/permissions.js';
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
    id: column(schema.string({ enum: PROJECT_ROLES, example: 'PR1' })),
    name: column(schema.string({ example: 'Lead' }), { filter: 'Its name.', sortable: true }),
    permissions: column(
      schema.list(schema.string({ enum: CAPABILITIES }), {
        description: 'What the role allows besides reading, as in `permissions` of a project. Sorted.',
      }),
    ),
  },
  filters: { id: filters.publicId(sql`item.id`, ID) },
  orderings: { id: idOrder },
  defaultOrdering: 'id',
  search: { text: sql`item.name`, fields: ['name'] },
});
