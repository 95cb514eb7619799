import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';

/** Whether the caller may see every field of this user: user managers, and the user themselves. */
export const maySeeEveryFieldOf = (userId: Sql, { may, user }: QueryContext): Sql =>
  may('manage_users') ? sql`true` : sql`${userId} = ${user}`;
