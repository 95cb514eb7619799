import { sql } from 'kysely';
import { jsonObject, urlOf } from '#query/expressions.js';
import { type Reading, resolve, type Sql } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { visible } from '../overlay/overlay.sql.js';
import { identityDbId } from '../overlay/shipped.sql.js';

/**
 * Entries for a list of internal ids, in its order; `where` narrows the rows of `table` down further. One scan by the
 * ids: a join would let PostgreSQL read small tables whole, once for every component of a list.
 */
const entriesOf = (table: Sql, id: Sql, column: Sql, entry: Sql, where = sql``): Sql =>
  sql`(SELECT coalesce(json_agg(${entry} ORDER BY array_position(${column}, ${id})), '[]'::json)
    FROM ${table} WHERE ${id} = ANY(${column}) ${where})`;

/** Public ids of a list of internal ones, in its order. */
export const itemIds = (kind: 'countermeasure' | 'attribute', column: Sql): Sql =>
  entriesOf(sql`${sql.table(kind)} i`, sql`i.id`, column, sql`i.item_id`);

/** Countermeasures of a list of internal ids as objects, in its order, as the organization has changed them. */
export const countermeasureObjects =
  (column: Sql) =>
  (reading: Reading): Sql =>
    entriesOf(
      sql`countermeasure_version c`,
      sql`c.countermeasure_id`,
      column,
      jsonObject({
        id: sql`c.item_id`,
        title: sql`c.title`,
        url: resolve(urlOf('library/tasks', sql`c.item_id`), reading),
        active: sql`c.active`,
      }),
      sql`AND ${visible('countermeasure', 'c', reading.organization)}`,
    );

export const countermeasureSchema = schema.object({
  id: schema.string({ example: 'T21' }),
  title: schema.string(),
  url: schema.string({ example: '/library/tasks/T21/' }),
  active: schema.boolean(),
});

/** An answer of the survey with the texts around it, null where there is none. */
export const answerObject = (answerId: Sql): Sql => sql`(SELECT ${jsonObject({
  id: sql`a.item_id`,
  text: sql`a.text`,
  is_active: sql`a.is_active`,
  section_title: sql`s.title`,
  subsection_text: sql`ss.title`,
  question_text: sql`q.text`,
  subquestion_text: sql`(SELECT sq.text FROM survey_subquestion sq WHERE sq.id = a.subquestion_id)`,
})} FROM survey_answer a JOIN survey_question q ON q.id = a.question_id
  JOIN survey_subsection ss ON ss.id = q.subsection_id JOIN survey_section s ON s.id = ss.section_id
  WHERE a.id = ${answerId})`;

export const answerSchema = schema.object({
  id: schema.string({ example: 'A64' }),
  text: schema.string(),
  is_active: schema.boolean(),
  section_title: schema.string(),
  subsection_text: schema.string(),
  question_text: schema.string(),
  subquestion_text: schema.nullable(schema.string()),
});

/** Attributes of a list of internal ids as objects, in its order. */
export const attributeObjects = (column: Sql): Sql =>
  entriesOf(
    sql`attribute a`,
    sql`a.id`,
    column,
    jsonObject({ id: identityDbId('a'), item_id: sql`a.item_id`, name: sql`a.name` }),
  );

export const attributeSchema = schema.object({
  id: schema.integer({ description: 'Negative for custom content.' }),
  item_id: schema.string({ example: 'AT12' }),
  name: schema.string(),
});
