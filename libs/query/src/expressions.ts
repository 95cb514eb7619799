import { sql } from 'kysely';
import type { Expression, QueryContext, Sql } from './query-context.js';
import type { Field } from './projection.js';
import * as schema from './schema.js';

/** Six digits and the offset of the session's time zone, which is `TIME_ZONE`: `2026-03-04T15:43:51.615743+00:00`. */
export const isoTime = (operand: Sql): Sql => sql`to_char(${operand}, 'YYYY-MM-DD"T"HH24:MI:SS.USTZH:TZM')`;

/** A timestamp field. */
export const timestampField = (operand: Sql, description: string): Field => ({
  sql: isoTime(operand),
  schema: schema.timestamp({ description }),
});

/** A timestamp field that may be empty. */
export const nullableTimestampField = (operand: Sql, description: string): Field => ({
  sql: isoTime(operand),
  schema: schema.nullable(schema.timestamp({ description })),
});

/** Three digits, in UTC: `2026-03-04T15:43:51.615Z`. */
export const utcMilliseconds = (operand: Sql): Sql =>
  sql`to_char(${operand} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A timestamp field in UTC with milliseconds. */
export const utcTimestampField = (operand: Sql, description: string): Field => ({
  sql: utcMilliseconds(operand),
  schema: schema.timestamp({ description, example: '2026-03-04T15:43:51.615Z' }),
});

/** A path such as `/library/tasks/T1/`, absolute where the reading asks for it. */
export const urlOf =
  (folder: string, id: Sql): Expression =>
  ({ origin }: QueryContext) =>
    sql`${`${origin}/${folder}/`} || ${id} || '/'`;

/** A JSON list of the rows of a subquery that has a column `entry`, in its order; empty where there is none. */
export const jsonList = (entries: Sql): Sql =>
  sql`coalesce((SELECT json_agg(entry) FROM (${entries}) entries), '[]'::json)`;

/** Rows that items name by their internal ids, and what replaces each. */
export interface Named {
  readonly id: Sql;
  readonly entry: Sql;
  readonly from: Sql;
  readonly where?: Sql;
}

/**
 * What can be named, by internal id: each entry is written once for the statement, however many rows name it. Entries
 * are in it as texts: jsonb does not keep the form of JSON.
 */
const texts = ({ id, entry, from, where = sql`true` }: Named): Sql =>
  sql`(SELECT jsonb_object_agg(${id}, ${entry}::text) FROM ${from} WHERE ${where})`;

/** What the rows of the page name, by internal id. */
const namedByPage = (ids: Sql, { where = sql`true`, ...named }: Named): Sql =>
  texts({ ...named, where: sql`${named.id} = ANY(ARRAY(SELECT ${ids} FROM page item)) AND ${where}` });

/** What an internal id names, as text; null where it names nothing. `unnest(…)` gives a row for each of several. */
export const namedText = (id: Sql, named: Named): Sql => sql`${namedByPage(id, named)} ->> ${id}::text`;

/** The JSON that a column of internal ids names. */
export const namedEntry = (column: Sql, named: Named): Sql => sql`(${namedText(column, named)})::json`;

/** A JSON list of the JSON that a column with lists of internal ids names, in their order. */
export const namedEntries = (column: Sql, named: Named): Sql =>
  sql`('[' || array_to_string(ARRAY(SELECT ${namedText(sql`unnest(${column})`, named)}), ', ') || ']')::json`;

/**
 * What an internal id names, as text, for statements that read whole libraries: they find all that can be named once,
 * and not what each row names.
 */
export const namedOfAll = (id: Sql, named: Named): Sql => sql`${texts(named)} ->> ${id}::text`;

/** What a column with lists of internal ids names, in their order, as an array: likewise. */
export const namedListOfAll = (column: Sql, named: Named): Sql =>
  sql`array_remove(ARRAY(SELECT ${namedOfAll(sql`unnest(${column})`, named)}), NULL)`;

/**
 * A JSON object of these members, without blanks, for what is made by the thousand: it takes half as long as
 * `jsonObject`, but is a query of its own, in which `count(*)` would be 1.
 */
export const compactObject = (members: Readonly<Record<string, Sql>>): Sql =>
  sql`(SELECT row_to_json(o) FROM (SELECT ${sql.join(
    Object.entries(members).map(([name, value]) => sql`${value} AS ${sql.ref(name)}`),
  )}) o)`;

/** A JSON object of these members. It is a mere expression: they mean what they mean in the query that contains it. */
export const jsonObject = (members: Readonly<Record<string, Sql>>): Sql =>
  sql`json_build_object(${sql.join(Object.entries(members).flatMap(([name, value]) => [sql.lit(name), value]))})`;
