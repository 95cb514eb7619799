import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import { isIncomplete } from '../../library/match-condition/match-condition.projection.js';
import { conditionMatches, listsOf, matchingModeOf } from './content.sql.js';

/** Reasons for a countermeasure that refer to no condition or component. */
export const REASON_TEXTS = {
  project: 'It was created in this project.',
  manual: 'It was added to this project manually.',
  noConditions: 'It has no match conditions: it applies wherever its weakness does.',
} as const;

/** Whether the facts of a project, `item.facts`, meet a condition `m`. */
export const conditionHolds = (context: QueryContext): Sql => {
  const { required, excluded } = listsOf(matchingModeOf(context));
  const matches = conditionMatches(sql`item.facts`, {
    required: sql`${required}::text[]`,
    excluded: sql`${excluded}::text[]`,
  });
  return sql`(${matches} AND NOT ${isIncomplete(matchingModeOf(context).byAttributes)})`;
};

/** Public ids of the entries in a list of a condition `m` that the project has, or lacks. */
const listedIds = (list: Sql, context: QueryContext, present: boolean): Sql => {
  const table = sql.table(matchingModeOf(context).byAttributes ? 'attribute' : 'survey_answer');
  const isPresent = sql`item.facts ? a.id::text`;
  return sql`(SELECT string_agg(a.item_id, ', ' ORDER BY a.organization_id NULLS FIRST, a.number)
    FROM ${table} a WHERE a.id = ANY(${list}) AND ${present ? isPresent : sql`NOT ${isPresent}`})`;
};

/** Why a condition `m` is met, or what prevents it. */
export const conditionText = (context: QueryContext): Sql => {
  const { byAttributes } = matchingModeOf(context);
  const { required, excluded } = listsOf({ byAttributes });
  const namedAndDeciding = byAttributes ? 'answers, but attributes decide.' : 'attributes, but answers decide.';
  return sql`'Match condition ' || m.item_id || CASE WHEN ${conditionHolds(context)}
    THEN ' holds' || coalesce(': the project has ' || ${listedIds(required, context, true)}, '') || '.'
    WHEN ${isIncomplete(byAttributes)} THEN ${sql.lit(` never holds: it uses ${namedAndDeciding}`)}
    ELSE ' does not hold: ' || concat_ws('; ',
      'the project lacks ' || ${listedIds(required, context, false)},
      'it has ' || ${listedIds(excluded, context, true)} || ', which is excluded') || '.' END`;
};
