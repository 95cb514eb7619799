import { sql } from 'kysely';
import { compactObject, jsonObject, referencedTextOfAll } from '#query/expressions.js';
import type { Expression, Sql } from '#query/query-context.js';
import type { Filter } from '#query/filter-parameters.js';
import * as filters from '#query/filters.js';
import type { Field } from '#query/projection.js';
import * as schema from '#query/schema.js';

/** The author of built-in content. */
export const CONTENT_AUTHOR = { id: 0, email: 'content@merlon.invalid', first_name: 'Merlon', last_name: 'Content' };

const CONTENT_AUTHOR_JSON = sql.lit(JSON.stringify(CONTENT_AUTHOR));

const columns = (alias: string): Record<keyof typeof CONTENT_AUTHOR, Sql> => ({
  id: sql.ref(`${alias}.id`),
  email: sql.ref(`${alias}.email`),
  first_name: sql.ref(`${alias}.first_name`),
  last_name: sql.ref(`${alias}.last_name`),
});

export const userReferenceSchema = schema.object(
  { id: schema.integer(), email: schema.string(), first_name: schema.string(), last_name: schema.string() },
  { example: { id: 1, email: 'ada@example.com', first_name: 'Ada', last_name: 'Admin' } },
);

/** A user reference of a user; null without one. */
export const userObject = (userId: Sql): Sql =>
  sql`(SELECT ${jsonObject(columns('u'))} FROM user_account u WHERE u.id = ${userId})`;

/** A user reference; without a user, it is the author of the built-in content. */
export const userReference = (userId: Sql, description: string): Field => ({
  sql: sql`CASE WHEN ${userId} IS NULL THEN ${CONTENT_AUTHOR_JSON}::json
    ELSE ${userObject(userId)} END`,
  schema: { ...userReferenceSchema, description },
});

/**
 * A user reference in files, which contain whole libraries: JSON as text. PostgreSQL would validate JSON for each row,
 * which takes longer than finding it.
 */
export const userInFiles =
  (userId: Sql): Expression =>
  ({ organization }) =>
    sql`CASE WHEN ${userId} IS NULL THEN ${CONTENT_AUTHOR_JSON} ELSE ${referencedTextOfAll(userId, {
      id: sql`u.id`,
      entry: compactObject(columns('u')),
      from: sql`user_account u`,
      where: sql`u.organization_id = ${organization}`,
    })} END`;

/** Orders by the last name, first name and id of the user. */
export const userOrder = (userId: Sql): Sql[] => [
  sql`coalesce((SELECT lower(u.last_name) FROM user_account u WHERE u.id = ${userId}),
    ${CONTENT_AUTHOR.last_name.toLowerCase()})`,
  sql`coalesce((SELECT lower(u.first_name) FROM user_account u WHERE u.id = ${userId}),
    ${CONTENT_AUTHOR.first_name.toLowerCase()})`,
  sql`coalesce(${userId}, ${CONTENT_AUTHOR.id}::bigint)`,
];

/** The searched text of a user reference. */
export const userText = (userId: Sql): Sql => sql`CASE WHEN ${userId} IS NULL
  THEN ${[CONTENT_AUTHOR.email, CONTENT_AUTHOR.first_name, CONTENT_AUTHOR.last_name].join('\n')}::text
  ELSE (SELECT u.email || E'\\n' || u.first_name || E'\\n' || u.last_name FROM user_account u
    WHERE u.id = ${userId}) END`;

/** A filter by a user's number; 0 is the author of the built-in content. The expression must match those of indexes. */
export const userFilter = (userId: Sql, description: string): Filter =>
  filters.integer(sql`coalesce(${userId}, 0::bigint)`, description);
