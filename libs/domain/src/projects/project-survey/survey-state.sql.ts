import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';

const column = (table: string, name: string): Sql => sql.ref(`${table}.${name}`);

/** What is known about the answers in the saved survey of a project `p`: `answer_id`, `state`. */
export const savedStates = (p: string): Sql =>
  sql`(SELECT s.answer_id, s.state FROM project_answer s WHERE s.project_id = ${column(p, 'id')})`;

/** The same in the draft; in the saved survey if there is no draft. */
export const draftStates = (p: string): Sql =>
  sql`(SELECT d.answer_id, d.state FROM project_draft_answer d WHERE d.project_id = ${column(p, 'id')}
    AND ${column(p, 'survey_dirty')}
    UNION ALL SELECT s.answer_id, s.state FROM project_answer s WHERE s.project_id = ${column(p, 'id')}
      AND NOT ${column(p, 'survey_dirty')})`;

/** Internal ids of the questions that the draft of a project `p` answers with "None of these". */
export const draftNone = (p: string): Sql =>
  sql`(CASE WHEN ${column(p, 'survey_dirty')} THEN ${column(p, 'draft_none_questions')}
    ELSE ${column(p, 'none_questions')} END)`;

/** Common table expressions for the states of answers, and for the answers that are selected. */
export const givenStates = (states: Sql): Sql => sql`
  given AS MATERIALIZED (SELECT answer_id, state FROM ${states} known(answer_id, state)),
  chosen AS (SELECT answer_id FROM given WHERE state <> 'rejected')`;

/**
 * Common table expressions for the states of answers (rows of `answer_id`, `state`): `given` with these rows, `chosen`
 * (`answer_id`) with the selected answers, and `open_question` (`id`), which contains questions that depend on nothing,
 * or on a selected active answer of an open question. Questions that only depend on each other stay closed.
 */
export const openQuestions = (states: Sql, organization: number): Sql => sql`
  RECURSIVE ${givenStates(states)},
  open_question AS (
    SELECT q.id FROM survey_question q WHERE q.depends_on = '{}' AND ${builtInOrCustom('q', { organization })}
    UNION
    SELECT q.id FROM open_question opener
    JOIN survey_answer a ON a.question_id = opener.id AND a.is_active
    JOIN chosen ON chosen.answer_id = a.id
    JOIN survey_question q ON q.depends_on @> ARRAY[a.id] AND ${builtInOrCustom('q', { organization })})`;

/**
 * Whether a question `q` is answered: someone chose one of its answers, or said that none applies. Requires `given`.
 */
export const isAnswered = (none: Sql): Sql =>
  sql`(q.id = ANY(${none}) OR q.id IN (SELECT a.question_id FROM given JOIN survey_answer a ON a.id = given.answer_id
    WHERE given.state = 'chosen' AND a.is_active))`;

/** The state of an answer `a` for clients. A suggestion is not an answer. Requires a left join of `given`. */
export const stateOfAnswer = (none: Sql): Sql =>
  sql`(CASE WHEN given.state = 'chosen' THEN 'chosen'
    WHEN given.state = 'rejected' OR a.question_id = ANY(${none}) THEN 'rejected' ELSE 'unanswered' END)`;
