import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/kernel/actor.js';
import { saveDraft } from '#domain/projects/project-survey/project-survey.commands.js';
import { answerNone, selectAnswer } from '#domain/projects/project-survey/survey-draft.commands.js';
import { draftNone, draftStates, isAnswered, openQuestions } from '#domain/projects/project-survey/survey-state.sql.js';

/** Answers open further questions, down to this depth. */
const MAX_ROUNDS = 8;

interface OpenQuestion {
  readonly id: string;
  readonly format: string;
  /** The answers that the profile suggests. */
  readonly suggested: readonly string[];
  readonly first: string;
}

/** The open questions that no one has answered in the draft. */
async function unansweredQuestions(em: EntityManager, actor: Actor, project: string): Promise<readonly OpenQuestion[]> {
  const { rows } = await sql<OpenQuestion>`
    SELECT question.* FROM project p CROSS JOIN LATERAL (
      WITH ${openQuestions(draftStates('p'), actor.organizationId)}
      SELECT q.item_id AS id, q.format,
        array_agg(a.item_id ORDER BY a.ordinal) FILTER (WHERE given.state = 'suggested') AS suggested,
        (array_agg(a.item_id ORDER BY a.ordinal))[1] AS first
      FROM open_question JOIN survey_question q USING (id)
      JOIN survey_answer a ON a.question_id = q.id AND a.is_active LEFT JOIN given ON given.answer_id = a.id
      WHERE NOT ${isAnswered(draftNone('p'))}
      GROUP BY q.id ORDER BY q.id) question
    WHERE p.id = ${project}::bigint`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, suggested: (row.suggested as string[] | null) ?? [] }));
}

/** Confirms what the profile suggests for these questions, and answers the others with "None of these". */
async function answer(em: EntityManager, actor: Actor, project: string, questions: readonly OpenQuestion[]) {
  for (const { id, format, suggested, first } of questions)
    if (suggested.length || format === 'SC')
      for (const chosen of suggested.length ? suggested : [first]) await selectAnswer(em, actor, project, chosen, true);
    else await answerNone(em, actor, project, { question: id, none: true });
}

/** Answers the survey of a project from its profile, and saves it. */
export async function answerSurvey(em: EntityManager, actor: Actor, project: string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const questions = await unansweredQuestions(em, actor, project);
    if (!questions.length) break;
    await answer(em, actor, project, questions);
  }
  await saveDraft(em, actor, project);
}

/** Answers the first questions in the draft of a survey. */
export async function beginSurvey(em: EntityManager, actor: Actor, project: string, count: number): Promise<void> {
  await answer(em, actor, project, (await unansweredQuestions(em, actor, project)).slice(0, count));
}
