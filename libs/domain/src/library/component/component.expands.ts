import { sql } from 'kysely';
import { jsonObject, referencedJsonList, referencedJson, urlOf } from '#query/expressions.js';
import { type QueryContext, resolve, type Sql } from '#query/query-context.js';
import * as schema from '#query/schema.js';
import { visible } from '../customization/customization.sql.js';

/**
 * Public ids for internal ids of countermeasures, in the same order. It is one scan by ids: with a join, PostgreSQL
 * might read small tables completely for every component of a list.
 */
export const countermeasureList = (column: Sql): Sql =>
  sql`(SELECT coalesce(json_agg(i.item_id ORDER BY array_position(${column}, i.id)), '[]'::json)
    FROM countermeasure i WHERE i.id = ANY(${column}))`;

/** Countermeasures for internal ids as objects, in the same order, as customized by the organization. */
export const countermeasureObjects =
  (column: Sql) =>
  (context: QueryContext): Sql =>
    referencedJsonList(column, {
      id: sql`c.countermeasure_id`,
      entry: jsonObject({
        id: sql`c.item_id`,
        title: sql`c.title`,
        url: resolve(urlOf('library/tasks', sql`c.item_id`), context),
        active: sql`c.active`,
      }),
      from: sql`countermeasure_version c`,
      where: visible('countermeasure', 'c', context.organization),
    });

export const countermeasureSchema = schema.object({
  id: schema.string({ example: 'T21' }),
  title: schema.string(),
  url: schema.string({ example: '/library/tasks/T21/' }),
  active: schema.boolean(),
});

/** A survey answer with the texts of its question and section; null without an answer. */
export const answerObject = (answerId: Sql): Sql =>
  referencedJson(answerId, {
    id: sql`a.id`,
    entry: jsonObject({
      id: sql`a.item_id`,
      text: sql`a.text`,
      is_active: sql`a.is_active`,
      section_title: sql`s.title`,
      subsection_text: sql`ss.title`,
      question_text: sql`q.text`,
      subquestion_text: sql`(SELECT sq.text FROM survey_subquestion sq WHERE sq.id = a.subquestion_id)`,
    }),
    from: sql`survey_answer a JOIN survey_question q ON q.id = a.question_id
      JOIN survey_subsection ss ON ss.id = q.subsection_id JOIN survey_section s ON s.id = ss.section_id`,
  });

export const answerSchema = schema.object({
  id: schema.string({ example: 'A64' }),
  text: schema.string(),
  is_active: schema.boolean(),
  section_title: schema.string(),
  subsection_text: schema.string(),
  question_text: schema.string(),
  subquestion_text: schema.nullable(schema.string()),
});
