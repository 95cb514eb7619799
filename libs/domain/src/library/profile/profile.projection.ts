import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { identityOrder, builtInAndCustom } from '../../kernel/built-in.sql.js';

const PROFILE_TYPES = ['Built-in', 'Custom'] as const;

const type = sql`CASE WHEN item.organization_id IS NULL THEN 'Built-in' ELSE 'Custom' END`;

/**
 * Whether the profile is the default. A custom default takes precedence over the built-in one, so there is always
 * exactly one.
 */
const isDefault = ({ organization }: QueryContext): Sql =>
  sql`(item.is_default AND (item.organization_id IS NOT NULL OR NOT EXISTS (
    SELECT 1 FROM profile own WHERE own.organization_id = ${organization} AND own.is_default)))`;

/** The read side of profiles: kinds of projects with their initial survey answers. */
export const profileProjection = projection({
  name: 'Profile',
  source: builtInAndCustom('profile'),
  key: { shape: idShape('profile'), column: sql`item.item_id`, order: identityOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'P1' }) },
    name: column(schema.string({ example: 'Web application' }), { filter: 'Its name.', sortable: true }),
    description: column(schema.string()),
    answers: {
      sql: sql`(SELECT coalesce(json_agg(a.item_id ORDER BY a.organization_id IS NOT NULL, a.number), '[]')
        FROM survey_answer a WHERE a.id = ANY(item.answers))`,
      schema: schema.list(schema.string({ example: 'A1' }), {
        description: 'Ids of the survey answers that a project with this profile begins with.',
      }),
    },
    default: {
      sql: isDefault,
      schema: schema.boolean({ description: 'Whether projects have it by default; true for exactly one profile.' }),
    },
    logo_url: column(schema.nullable(schema.string())),
    active: column(schema.boolean(), { filter: 'Whether it is in use.', sortable: true }),
    type: { sql: type, schema: schema.string({ enum: PROFILE_TYPES }) },
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('profile')),
    default: filters.boolean(isDefault, 'Whether it is the default.'),
    type: filters.choice(type, 'Where it comes from.', PROFILE_TYPES),
  },
  orderings: { id: identityOrder, default: [isDefault] },
  defaultOrdering: 'id',
  search: { text: sql`item.name || E'\\n' || item.description`, fields: ['name', 'description'] },
});
