import { sql } from 'kysely';
import { jsonList, jsonObject } from '#query/expressions.js';
import type { Field, Fields, Reading, Sql } from '#query/projection.js';
import * as schema from '#query/schema.js';

const answerObject = jsonObject({
  id: sql`a.item_id`,
  text: sql`a.text`,
  description: sql`a.description`,
  display_text: sql`a.display_text`,
  is_active: sql`a.is_active`,
});

const answerSchema = schema.object({
  id: schema.string({ example: 'A12' }),
  text: schema.string(),
  description: schema.string(),
  display_text: schema.string(),
  is_active: schema.boolean(),
});

/** Public ids, or objects, of the answers in an array column, in the array's order. */
const answers = (column: Sql, { expands }: Reading): Sql =>
  sql`(SELECT coalesce(json_agg(${expands.has('answers') ? answerObject : sql`a.item_id`} ORDER BY array_position(${column}, a.id)), '[]'::json)
    FROM survey_answer a WHERE a.id = ANY(${column}))`;

const answerList = schema.list(schema.either(schema.string({ example: 'A12' }), answerSchema));

export const matchConditionSchema = schema.object({
  db_id: schema.integer({ description: 'Negative for conditions of the organization.' }),
  id: schema.string({ example: 'MC7' }),
  required: { ...answerList, description: 'Answers that must all be there; objects with `expand=answers`.' },
  excluded: { ...answerList, description: 'Answers of which none may be there; objects with `expand=answers`.' },
});

/** Kinds whose versions have match conditions. */
export type ConditionedKind = 'weakness' | 'countermeasure' | 'additional_requirement' | 'how_to' | 'threat';

/** The match conditions of one version of a kind, `owner` being the version's internal id. */
export const matchConditionsOf =
  (kind: ConditionedKind, owner: Sql) =>
  (reading: Reading): Sql =>
    jsonList(
      sql`SELECT ${jsonObject({
        db_id: sql`m.db_id`,
        id: sql`m.item_id`,
        required: answers(sql`m.required`, reading),
        excluded: answers(sql`m.excluded`, reading),
      })} AS entry FROM match_condition m WHERE ${sql.ref(`m.${kind}_version_id`)} = ${owner} ORDER BY m.position`,
    );

/** The include `match_conditions` of a kind. */
export const matchConditionsInclude = (kind: ConditionedKind): Fields => {
  const field: Field = {
    sql: matchConditionsOf(kind, sql`item.id`),
    schema: schema.list(matchConditionSchema, {
      description: 'The item is in a project when one of its conditions holds.',
    }),
  };
  return { match_conditions: field };
};
