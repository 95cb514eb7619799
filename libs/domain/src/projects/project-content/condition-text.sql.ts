import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import { isIncomplete } from '../../library/match-condition/match-condition.projection.js';
import { holdsBy, listsOf, modeOf } from './content.sql.js';

/** Why a countermeasure is in a project, where no condition or component has to be named. */
export const REASON_TEXTS = {
  project: 'It was made in this project.',
  manual: 'It was added to this project by hand.',
  noConditions: 'It has no match conditions: it is wherever its weakness is.',
} as const;

/** Whether a condition `m` holds by what is known of the project: `item.known`, as conditions look at it. */
export const holds = (reading: QueryContext): Sql => {
  const { required, excluded } = listsOf(modeOf(reading));
  const known = holdsBy(sql`item.known`, { required: sql`${required}::text[]`, excluded: sql`${excluded}::text[]` });
  return sql`(${known} AND NOT ${isIncomplete(modeOf(reading).byAttributes)})`;
};

/** Public ids of what a list of a condition `m` names and the project has, or lacks. */
const named = (list: Sql, reading: QueryContext, present: boolean): Sql => {
  const table = sql.table(modeOf(reading).byAttributes ? 'attribute' : 'survey_answer');
  const isThere = sql`item.known ? a.id::text`;
  return sql`(SELECT string_agg(a.item_id, ', ' ORDER BY a.organization_id NULLS FIRST, a.number)
    FROM ${table} a WHERE a.id = ANY(${list}) AND ${present ? isThere : sql`NOT ${isThere}`})`;
};

/** Why a condition `m` holds, or what prevents it. */
export const conditionText = (reading: QueryContext): Sql => {
  const { byAttributes } = modeOf(reading);
  const { required, excluded } = listsOf({ byAttributes });
  const namedAndDeciding = byAttributes ? 'answers, and attributes decide.' : 'attributes, and answers decide.';
  return sql`'Match condition ' || m.item_id || CASE WHEN ${holds(reading)}
    THEN ' holds' || coalesce(': the project has ' || ${named(required, reading, true)}, '') || '.'
    WHEN ${isIncomplete(byAttributes)} THEN ${sql.lit(` never holds: it names ${namedAndDeciding}`)}
    ELSE ' does not hold: ' || concat_ws('; ',
      'the project lacks ' || ${named(required, reading, false)},
      'it has ' || ${named(excluded, reading, true)} || ', which is excluded') || '.' END`;
};
