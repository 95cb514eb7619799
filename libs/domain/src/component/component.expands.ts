import { sql } from 'kysely';
import { jsonList, jsonObject, urlOf } from '#query/expressions.js';
import { type Reading, resolve, type Sql } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { visible } from '../overlay/overlay.sql.js';
import { identityDbId } from '../overlay/shipped.sql.js';

/** Public ids of a list of internal ones, in its order. */
export const itemIds = (kind: 'countermeasure' | 'attribute', column: Sql): Sql =>
  jsonList(sql`SELECT i.item_id AS entry FROM unnest(${column}) WITH ORDINALITY named(id, place)
    JOIN ${sql.table(kind)} i ON i.id = named.id ORDER BY named.place`);

/** Countermeasures of a list of internal ids as objects, in its order, as the organization has changed them. */
export const countermeasureObjects =
  (column: Sql) =>
  (reading: Reading): Sql =>
    jsonList(sql`SELECT ${jsonObject({
      id: sql`c.item_id`,
      title: sql`c.title`,
      url: resolve(urlOf('library/tasks', sql`c.item_id`), reading),
      active: sql`c.active`,
    })} AS entry FROM unnest(${column}) WITH ORDINALITY named(id, place)
      JOIN countermeasure_version c ON c.countermeasure_id = named.id AND ${visible('countermeasure', 'c', reading.organization)}
      ORDER BY named.place`);

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
  jsonList(sql`SELECT ${jsonObject({ id: identityDbId('a'), item_id: sql`a.item_id`, name: sql`a.name` })} AS entry
    FROM unnest(${column}) WITH ORDINALITY named(id, place) JOIN attribute a ON a.id = named.id ORDER BY named.place`);

export const attributeSchema = schema.object({
  id: schema.integer({ description: 'Negative for custom content.' }),
  item_id: schema.string({ example: 'AT12' }),
  name: schema.string(),
});
