import { sql } from 'kysely';
import { column } from '#query/column.js';
import { nullableTimestampField, timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { userObject, userReferenceSchema } from '../../access/user/user-reference.js';
import { libraryUpgradeMachine } from './library-upgrade.machine.js';
import { CUSTOMIZABLE_KINDS } from '../customization/customization.sql.js';

/** The status of changes that were applied because the organization had not changed the field. */
export const APPLIED = 'applied';
export const UPGRADE_STATUSES = [APPLIED, ...libraryUpgradeMachine.states] as const;

/** The changes of all releases with their status in an organization, as a relation. */
export const upgradesSeenBy = (organization: number): Sql => sql`(
  SELECT c.id, c.kind, c.item_id, c.title, c.field, c.from_value, c.to_value, c.revision, c.released_at,
    coalesce(u.status, ${APPLIED}) AS status, u.resolved_at, u.resolved_by
  FROM release_change c LEFT JOIN library_upgrade u ON u.release_change_id = c.id
    AND u.organization_id = ${organization})`;

/** The read side of the changes that releases made to the starter library, with each organization's decisions. */
export const libraryUpgradeProjection = projection({
  name: 'LibraryUpgrade',
  source: ({ organization }) => [{ table: upgradesSeenBy(organization), where: sql`true` }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.', sortable: true }),
    kind: column(schema.string({ description: 'The kind of item.', enum: CUSTOMIZABLE_KINDS }), {
      filter: true,
      sortable: true,
    }),
    item: { sql: sql`item.item_id`, schema: schema.string({ description: 'Id of the item.', example: 'T21' }) },
    title: column(schema.string({ description: 'Title of the item in the release.' })),
    field: column(schema.string({ description: 'The field that changed.', example: 'priority' }), {
      filter: true,
    }),
    from: { sql: sql`item.from_value`, schema: { description: 'The built-in value before the release.', example: 7 } },
    to: { sql: sql`item.to_value`, schema: { description: 'The built-in value since the release.', example: 9 } },
    revision: column(schema.integer({ description: 'Of the built-in item, since this change.', example: 2 })),
    status: column(
      schema.string({
        description:
          '`open`: the organization has changed the field too, and must decide; `superseded`: a newer release has ' +
          'changed it again.',
        enum: UPGRADE_STATUSES,
      }),
      { filter: 'How it was resolved.', sortable: true },
    ),
    released: timestampField(sql`item.released_at`, 'When the release was loaded.'),
    resolved: nullableTimestampField(sql`item.resolved_at`, 'When it was decided.'),
    resolved_by: {
      sql: userObject(sql`item.resolved_by`),
      schema: schema.nullable({ ...userReferenceSchema, description: 'Who decided.' }),
    },
  },
  filters: {
    item: filters.text(sql`item.item_id`, 'Id of the item.'),
    released: filters.timestamp(sql`item.released_at`, 'When the release was loaded.'),
  },
  orderings: {
    field: [sql`item.field`],
    released: [sql`item.released_at`],
  },
  defaultOrdering: '-id',
  search: { text: sql`item.item_id || E'\\n' || item.title`, fields: ['item', 'title'] },
});
