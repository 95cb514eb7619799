import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';

/** Whether the viewer may know all of the user with this id: those who manage users, and everyone of themselves. */
export const maySeeAllOf = (userId: Sql, { may, user }: QueryContext): Sql =>
  may('manage_users') ? sql`true` : sql`${userId} = ${user}`;
