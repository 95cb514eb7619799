import { sql } from 'kysely';
import { nullableTimestampField } from '#query/expressions.js';
import { projection } from '#query/projection.js';
import type { Sql } from '#query/query-context.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { isHeldBackProject, isPendingProject, isUnlockedProject } from './library-change.js';

const changes: Sql = sql`library_change l WHERE l.organization_id = item.id`;
const projects = (where: Sql): Sql => sql`project p WHERE p.organization_id = item.id AND ${where}`;

/** A change of the library that no worker has seen yet concerns every project. */
const isNoted: Sql = sql`EXISTS (SELECT 1 FROM ${changes})`;

/** How far the projects of the caller's organization follow its library. */
export const libraryRefreshProjection = projection({
  name: 'LibraryRefresh',
  source: ({ organization }) => [{ table: sql.table('organization'), where: sql`item.id = ${organization}` }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    running: {
      sql: sql`coalesce(item.refresh_lease_until > now(), false)`,
      schema: schema.boolean({ description: 'Whether a worker is recalculating projects now.' }),
    },
    pending: {
      sql: sql`CASE WHEN ${isNoted} THEN (SELECT count(*) FROM ${projects(isUnlockedProject)})
        ELSE (SELECT count(*) FROM ${projects(isPendingProject)}) END`,
      schema: schema.integer({ description: 'Projects that do not reflect the library yet.', example: 120 }),
    },
    held_back: {
      sql: sql`CASE WHEN ${isNoted} THEN (SELECT count(*) FROM ${projects(sql`NOT ${isUnlockedProject}`)})
        ELSE (SELECT count(*) FROM ${projects(isHeldBackProject)}) END`,
      schema: schema.integer({
        description:
          'Projects that follow only when they are unlocked or no longer archived; `pending` does not include them.',
        example: 3,
      }),
    },
    since: nullableTimestampField(
      sql`least((SELECT min(l.changed_at) FROM ${changes}),
        (SELECT least(min(p.refresh_due_at), now()) FROM ${projects(isPendingProject)}
          HAVING count(*) > 0))`,
      'Since when projects are pending; null if none is.',
    ),
    last_completed: nullableTimestampField(
      sql`item.refresh_completed_at`,
      'When a worker last finished with no project pending; null if that has never happened.',
    ),
  },
  orderings: {},
  defaultOrdering: 'id',
});
