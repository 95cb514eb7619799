import { sql } from 'kysely';
import { jsonList, jsonObject } from '#query/expressions.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import type { Fields } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { isIncomplete } from '../../library/match-condition/match-condition.projection.js';
import { placeOf, placeOrder } from '../../library/countermeasure/additional-requirement-place.sql.js';
import { howToSchema, requirementSchema } from '../../library/countermeasure/countermeasure.projection.js';
import { visible } from '../../library/customization/customization.sql.js';
import { factsOf, listsOf, type MatchingMode, matchingModeOf } from '../project-content/content.sql.js';

type PartKind = 'additional_requirement' | 'how_to';

/** Whether a version `v` of a part applies to the project of the row: one of its conditions is met, or it has none. */
const applies = (kind: PartKind, mode: MatchingMode): Sql => {
  const { required, excluded } = listsOf(mode);
  const conditions = sql`FROM match_condition m WHERE ${sql.ref(`m.${kind}_version_id`)} = v.id`;
  return sql`(NOT EXISTS (SELECT 1 ${conditions}) OR EXISTS (
    SELECT 1 ${conditions} AND NOT ${isIncomplete(mode.byAttributes)} AND ${required} <@ project.facts
      AND NOT ${excluded} && project.facts))`;
};

const partsOf =
  (kind: PartKind, members: (context: QueryContext) => Readonly<Record<string, Sql>>, order: Sql) =>
  (context: QueryContext): Sql => {
    const mode = matchingModeOf(context);
    const facts = sql`SELECT f.id FROM ${factsOf(sql`item.project_id`, mode)} f`;
    // OFFSET 0 makes PostgreSQL read the project's facts once, and not for every condition.
    return jsonList(sql`SELECT ${jsonObject(members(context))} AS entry
      FROM (SELECT ARRAY(${facts}) AS facts OFFSET 0) project
      CROSS JOIN ${sql.table(kind)} r JOIN ${sql.table(`${kind}_version`)} v ON ${sql.ref(`v.${kind}_id`)} = r.id
      WHERE r.countermeasure_id = item.countermeasure_id AND v.active AND ${visible(kind, 'v', context.organization)}
        AND ${applies(kind, mode)}
      ORDER BY ${order}`);
  };

/** The parts of a library countermeasure that apply in the project. */
export const partsIncludes: Readonly<Record<string, Fields>> = {
  amendments: {
    amendments: {
      sql: partsOf(
        'additional_requirement',
        (context) => ({ id: sql`v.item_id`, title: sql`v.title`, text: sql`v.text`, ordinal: placeOf('v', context) }),
        placeOrder('v'),
      ),
      schema: schema.list(requirementSchema, {
        description: 'Its additional requirements that apply in the project, in their order.',
      }),
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
      schema: schema.list(howToSchema, { description: 'Its how-tos that apply in the project.' }),
    },
  },
};
