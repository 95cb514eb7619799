import { sql } from 'kysely';
import { jsonList, jsonObject } from '#query/expressions.js';
import type { Fields, Reading, Sql } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { ATTRIBUTE_MODE } from '../match-condition/match-condition.projection.js';
import { visible } from '../overlay/overlay.sql.js';

type PartKind = 'additional_requirement' | 'how_to';

/** What the project of the row has: answers, or attributes where the flag says so. */
const present = ({ flags }: Reading): Sql =>
  flags.has(ATTRIBUTE_MODE)
    ? sql`ARRAY(SELECT s.attribute_id FROM project_attribute_source s WHERE s.project_id = item.project_id)`
    : sql`ARRAY(SELECT s.answer_id FROM project_answer s WHERE s.project_id = item.project_id)`;

/** Whether a version `v` of a part belongs into the project of the row: one of its conditions holds, or it has none. */
const applies = (kind: PartKind, reading: Reading): Sql => {
  const [required, excluded] = reading.flags.has(ATTRIBUTE_MODE)
    ? [sql`m.required_attributes`, sql`m.excluded_attributes`]
    : [sql`m.required`, sql`m.excluded`];
  const own = sql`FROM match_condition m WHERE ${sql.ref(`m.${kind}_version_id`)} = v.id`;
  return sql`(NOT EXISTS (SELECT 1 ${own}) OR EXISTS (
    SELECT 1 ${own} AND ${required} <@ ${present(reading)} AND NOT ${excluded} && ${present(reading)}))`;
};

const partsOf =
  (kind: PartKind, members: (reading: Reading) => Readonly<Record<string, Sql>>, order: Sql) =>
  (reading: Reading): Sql =>
    jsonList(sql`SELECT ${jsonObject(members(reading))} AS entry
      FROM ${sql.table(kind)} r JOIN ${sql.table(`${kind}_version`)} v ON ${sql.ref(`v.${kind}_id`)} = r.id
      WHERE r.countermeasure_id = item.countermeasure_id AND v.active AND ${visible(kind, 'v', reading.organization)}
        AND ${applies(kind, reading)}
      ORDER BY ${order}`);

/** Parts of a countermeasure of the library, those that apply in the project. */
export const partsIncludes: Readonly<Record<string, Fields>> = {
  amendments: {
    amendments: {
      sql: partsOf(
        'additional_requirement',
        () => ({ id: sql`v.item_id`, title: sql`v.title`, text: sql`v.text`, ordinal: sql`v.ordinal` }),
        sql`v.ordinal, v.is_custom, v.number`,
      ),
      schema: schema.list(
        schema.object({
          id: schema.string({ example: 'TA3' }),
          title: schema.string(),
          text: schema.markdown(),
          ordinal: schema.integer(),
        }),
        { description: 'Its additional requirements that apply in the project, in their order.' },
      ),
    },
  },
  how_tos: {
    how_tos: {
      sql: partsOf(
        'how_to',
        ({ origin }) => ({
          id: sql`v.item_id`,
          title: sql`v.title`,
          text: sql`v.text`,
          slug: sql`v.slug`,
          url: sql`${`${origin}/library/tasks/`} || item.task_id || '/implementations/' || v.item_id || '/'`,
        }),
        sql`v.is_custom, v.number`,
      ),
      schema: schema.list(
        schema.object({
          id: schema.string({ example: 'I5' }),
          title: schema.string(),
          text: schema.markdown(),
          slug: schema.string(),
          url: schema.string(),
        }),
        { description: 'How to do it, as far as it applies in the project.' },
      ),
    },
  },
};
