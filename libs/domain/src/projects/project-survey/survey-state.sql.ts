import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';

/** Internal ids of the answers in the draft of a project `p`; the saved answers if there is no draft. */
export const draftAnswerIds = (p: string): Sql =>
  sql`(SELECT d.answer_id FROM project_draft_answer d WHERE d.project_id = ${sql.ref(`${p}.id`)}
    AND ${sql.ref(`${p}.survey_dirty`)}
    UNION ALL SELECT s.answer_id FROM project_answer s WHERE s.project_id = ${sql.ref(`${p}.id`)}
      AND NOT ${sql.ref(`${p}.survey_dirty`)})`;

/**
 * Common table expressions for selected answers, whose internal ids are the rows of `answers`: `chosen` (`answer_id`),
 * and `open_question` (`id`), which contains questions that depend on nothing, or on a selected active answer of an
 * open question. Questions that only depend on each other stay closed.
 */
export const openQuestions = (answers: Sql, organization: number): Sql => sql`
  RECURSIVE chosen AS (SELECT answer_id FROM ${answers} selected(answer_id)),
  open_question AS (
    SELECT q.id FROM survey_question q WHERE q.depends_on = '{}' AND ${builtInOrCustom('q', { organization })}
    UNION
    SELECT q.id FROM open_question opener
    JOIN survey_answer a ON a.question_id = opener.id AND a.is_active
    JOIN chosen ON chosen.answer_id = a.id
    JOIN survey_question q ON q.depends_on @> ARRAY[a.id] AND ${builtInOrCustom('q', { organization })})`;
