import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { isIncomplete } from '../../library/match-condition/match-condition.projection.js';
import { conditionMatches, type LibraryScope, listsOf, matchingModeOf } from './content.sql.js';

/** Reasons for a countermeasure that refer to no condition or component. */
export const REASON_TEXTS = {
  project: 'It was created in this project.',
  manual: 'It was added to this project manually.',
  noConditions: 'It has no match conditions: it applies wherever its weakness does.',
} as const;

/** Whether the facts of a project, `item.facts`, meet a condition `m`. */
export const conditionHolds = (context: LibraryScope): Sql => {
  const { required, excluded } = listsOf(matchingModeOf(context));
  const matches = conditionMatches(sql`item.facts`, {
    required: sql`${required}::text[]`,
    excluded: sql`${excluded}::text[]`,
  });
  return sql`(${matches} AND NOT ${isIncomplete(matchingModeOf(context).byAttributes)})`;
};

/** An item of the library in a sentence: its title in quotes, and its public id. */
export const named = (title: Sql, id: Sql): Sql => sql`'"' || ${title} || '" (' || ${id} || ')'`;

/** The answer `a`, and whether it `was` or `was not` given to its question `q`. */
export const answered = (was: 'is' | 'was' | 'was not'): Sql =>
  sql`${named(sql`a.text`, sql`a.item_id`)} || ${sql.lit(` ${was} answered to "`)} || q.text || '"'`;

/** What a project has, or lacks, of a list of a condition `m`, in words; null if that is nothing. */
const listedFacts = (list: Sql, context: LibraryScope, present: boolean): Sql => {
  const { byAttributes } = matchingModeOf(context);
  const isPresent = sql`item.facts ? a.id::text`;
  const attribute = sql.lit(`the project ${present ? 'has' : 'lacks'} the attribute `);
  const fact = byAttributes
    ? sql`${attribute} || ${named(sql`a.name`, sql`a.item_id`)}`
    : answered(present ? 'was' : 'was not');
  const from = byAttributes ? sql`attribute a` : sql`survey_answer a JOIN survey_question q ON q.id = a.question_id`;
  return sql`(SELECT string_agg(${fact}, ' and ' ORDER BY a.organization_id NULLS FIRST, a.number)
    FROM ${from} WHERE a.id = ANY(${list}) AND ${present ? isPresent : sql`NOT ${isPresent}`})`;
};

/** Why a condition `m` is met, or what prevents it. */
export const conditionText = (context: LibraryScope): Sql => {
  const { byAttributes } = matchingModeOf(context);
  const { required, excluded } = listsOf({ byAttributes });
  const namedAndDeciding = byAttributes ? 'answers, but attributes decide.' : 'attributes, but answers decide.';
  return sql`CASE WHEN ${conditionHolds(context)} THEN 'Applies because ' || coalesce(
      ${listedFacts(required, context, true)},
      'the project has nothing that match condition ' || m.item_id || ' excludes') || '.'
    WHEN ${isIncomplete(byAttributes)}
      THEN 'Match condition ' || m.item_id || ${sql.lit(` never holds: it uses ${namedAndDeciding}`)}
    ELSE 'Match condition ' || m.item_id || ' does not hold: ' || concat_ws('; ',
      ${listedFacts(required, context, false)},
      ${listedFacts(excluded, context, true)} || ', which it excludes') || '.' END`;
};
