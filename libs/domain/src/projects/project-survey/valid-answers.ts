import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { openQuestions } from './survey-state.sql.js';
import type { StoredState } from './survey-state.rules.js';

/** An answer by its internal id, and what is known about it. */
export interface GivenAnswer {
  readonly id: number;
  readonly state: StoredState;
}

/** These answers as rows: `answer_id`, `state`. */
export const rowsOfAnswers = (answers: readonly GivenAnswer[]): Sql =>
  sql`(SELECT * FROM unnest(${answers.map(({ id }) => id)}::bigint[], ${answers.map(({ state }) => state)}::text[])
    listed(answer_id, state))`;

/** The active answers among these, of which only one per single-choice question can be selected. */
const selectableAnswers = (states: Sql): Sql => sql`(
  SELECT id, state FROM (
    SELECT a.id, known.state, q.format,
      row_number() OVER (PARTITION BY a.question_id, known.state = 'rejected' ORDER BY a.ordinal, a.id) AS place
    FROM ${states} known(answer_id, state)
    JOIN survey_answer a ON a.id = known.answer_id JOIN survey_question q ON q.id = a.question_id
    WHERE a.is_active)
  ranked WHERE format <> 'SC' OR state = 'rejected' OR place = 1)`;

/** The answers among these (`answer_id`, `state`) that a saved survey keeps: selectable ones of open questions. */
export async function validAnswers(em: EntityManager, actor: Actor, states: Sql): Promise<GivenAnswer[]> {
  const { rows } = await sql<GivenAnswer>`
    WITH ${openQuestions(selectableAnswers(states), actor.organizationId)}
    SELECT a.id, given.state FROM given JOIN survey_answer a ON a.id = given.answer_id
    WHERE a.question_id IN (SELECT id FROM open_question)`.execute(em.getKysely());
  return rows;
}

/** The answers of a profile, which no one has confirmed yet. */
export const answersOfProfile = (profile: number | null): Sql =>
  sql`(SELECT DISTINCT unnest(f.answers), 'suggested' FROM profile f WHERE f.id = ${profile})`;
