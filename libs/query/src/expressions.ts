import { sql } from 'kysely';
import type { Expression, QueryContext, Sql } from './query-context.js';
import type { Field } from './projection.js';
import * as schema from './schema.js';

/**
 * ISO 8601 with microseconds and the offset of the session's time zone (`TIME_ZONE`):
 * `2026-03-04T15:43:51.615743+00:00`.
 */
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

/** ISO 8601 with milliseconds, in UTC: `2026-03-04T15:43:51.615Z`. */
export const utcMilliseconds = (operand: Sql): Sql =>
  sql`to_char(${operand} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A timestamp field in UTC with milliseconds. */
export const utcTimestampField = (operand: Sql, description: string): Field => ({
  sql: utcMilliseconds(operand),
  schema: schema.timestamp({ description, example: '2026-03-04T15:43:51.615Z' }),
});

/** A path such as `/library/tasks/T1/`; an absolute URL if the caller asked for `absolute_urls`. */
export const urlOf =
  (folder: string, id: Sql): Expression =>
  ({ origin }: QueryContext) =>
    sql`${`${origin}/${folder}/`} || ${id} || '/'`;

/** A JSON list of the `entry` column of a subquery, in its order; empty if it has no rows. */
export const jsonList = (entries: Sql): Sql =>
  sql`coalesce((SELECT json_agg(entry) FROM (${entries}) entries), '[]'::json)`;

/** Rows that items reference by internal id, and the value (`entry`) that replaces each id. */
export interface ReferencedRows {
  readonly id: Sql;
  readonly entry: Sql;
  readonly from: Sql;
  readonly where?: Sql;
}

/**
 * Maps internal ids to entries. Each entry is computed once per statement, however many rows reference it. Entries are
 * stored as texts, because jsonb would reformat JSON.
 */
const entriesById = ({ id, entry, from, where = sql`true` }: ReferencedRows): Sql =>
  sql`(SELECT jsonb_object_agg(${id}, ${entry}::text) FROM ${from} WHERE ${where})`;

/** Maps the internal ids that the rows of the page reference to their entries. */
const entriesOfPage = (ids: Sql, { where = sql`true`, ...selection }: ReferencedRows): Sql =>
  entriesById({ ...selection, where: sql`${selection.id} = ANY(ARRAY(SELECT ${ids} FROM page item)) AND ${where}` });

/** The entry for an internal id, as text; null if there is none. With `unnest(…)`, one row for each id. */
export const referencedText = (id: Sql, referenced: ReferencedRows): Sql =>
  sql`${entriesOfPage(id, referenced)} ->> ${id}::text`;

/** The entry for a column of internal ids, as JSON. */
export const referencedJson = (column: Sql, referenced: ReferencedRows): Sql =>
  sql`(${referencedText(column, referenced)})::json`;

/** The entries for an array column of internal ids, as a JSON list in the same order. */
export const referencedJsonList = (column: Sql, referenced: ReferencedRows): Sql =>
  sql`('[' || array_to_string(ARRAY(SELECT ${referencedText(sql`unnest(${column})`, referenced)}), ', ') || ']')::json`;

/**
 * The entry for an internal id, as text, for statements that read whole libraries: all entries are computed at once,
 * not only those that the rows of a page reference.
 */
export const referencedTextOfAll = (id: Sql, referenced: ReferencedRows): Sql =>
  sql`${entriesById(referenced)} ->> ${id}::text`;

/**
 * The entries for an array column of internal ids, as an array in the same order, for statements that read whole
 * libraries.
 */
export const referencedListOfAll = (column: Sql, referenced: ReferencedRows): Sql =>
  sql`array_remove(ARRAY(SELECT ${referencedTextOfAll(sql`unnest(${column})`, referenced)}), NULL)`;

/**
 * A JSON object without blanks, for objects that are built by the thousand. It is twice as fast as `jsonObject`, but is
 * a subquery, in which `count(*)` would be 1.
 */
export const compactObject = (members: Readonly<Record<string, Sql>>): Sql =>
  sql`(SELECT row_to_json(o) FROM (SELECT ${sql.join(
    Object.entries(members).map(([name, value]) => sql`${value} AS ${sql.ref(name)}`),
  )}) o)`;

/** A JSON object. It is a plain expression, so aggregates in its members apply to the surrounding query. */
export const jsonObject = (members: Readonly<Record<string, Sql>>): Sql =>
  sql`json_build_object(${sql.join(Object.entries(members).flatMap(([name, value]) => [sql.lit(name), value]))})`;
