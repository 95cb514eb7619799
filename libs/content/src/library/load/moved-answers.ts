import { sql } from 'kysely';
import { type BuiltInTables, recordset } from './built-in-tables.js';

/** Where the saved survey of a project, and its draft, keep rejected answers and "None of these". */
const SURVEYS = [
  { answers: 'project_answer', none: 'none_questions' },
  { answers: 'project_draft_answer', none: 'draft_none_questions' },
] as const;

/** What a release moves: the questions concerned, and the projects that answer one of them with "None of these". */
export interface MovedAnswers {
  readonly questions: readonly string[];
  readonly projects: readonly string[];
}

/**
 * "None of these" speaks about the answers that a question had. If a release moves answers between questions, this
 * replaces it by a rejection of each of them. Call it before the answers move.
 */
export async function rejectOneByOne(
  tables: BuiltInTables,
  release: readonly { readonly number: number; readonly question_id: number }[],
): Promise<MovedAnswers> {
  const moved = await tables.run(
    'survey_question',
    sql<{ id: string }>`
      SELECT DISTINCT question AS id
      FROM ${recordset(release, { number: 'integer', question_id: 'bigint' })}
      JOIN survey_answer a ON a.organization_id IS NULL AND a.number = built_in.number
        AND a.question_id <> built_in.question_id
      CROSS JOIN LATERAL unnest(ARRAY[a.question_id, built_in.question_id]) question`,
  );
  const questions = moved.map(({ id }) => id);
  const projects = new Set<string>();
  for (const { answers, none } of SURVEYS) {
    const concerned = await tables.run(
      'project',
      sql<{ id: string }>`
        WITH concerned AS (
          SELECT id, ${sql.ref(none)} AS none FROM project WHERE ${sql.ref(none)} && ${questions}::bigint[]),
        rejected AS (
          INSERT INTO ${sql.table(answers)} (project_id, answer_id, state)
          SELECT c.id, a.id, 'rejected' FROM concerned c JOIN survey_answer a
            ON a.question_id = ANY(c.none) AND a.question_id = ANY(${questions}::bigint[])
          ON CONFLICT DO NOTHING)
        UPDATE project SET ${sql.ref(none)} = ARRAY(
          SELECT unnest(c.none) EXCEPT SELECT unnest(${questions}::bigint[]) ORDER BY 1)
        FROM concerned c WHERE project.id = c.id RETURNING project.id`,
    );
    for (const { id } of concerned) projects.add(id);
  }
  return { questions, projects: [...projects] };
}

/** Answers questions with "None of these" again if each of the answers that they have now is rejected. */
export async function answerNoneAgain(tables: BuiltInTables, { questions, projects }: MovedAnswers): Promise<void> {
  for (const { answers, none } of SURVEYS)
    await tables.run(
      'project',
      sql<{ id: string }>`
        UPDATE project SET ${sql.ref(none)} = ARRAY(
          SELECT unnest(${sql.ref(`project.${none}`)}) UNION SELECT unnest(again.none) ORDER BY 1)
        FROM (
          SELECT p.id, array_agg(q.id ORDER BY q.id) AS none FROM project p JOIN survey_question q
            ON q.id = ANY(${questions}::bigint[]) AND q.format = 'MC'
            AND EXISTS (SELECT 1 FROM survey_answer a WHERE a.question_id = q.id AND a.is_active)
            AND NOT EXISTS (
              SELECT 1 FROM survey_answer a LEFT JOIN ${sql.table(answers)} known
                ON known.project_id = p.id AND known.answer_id = a.id AND known.state = 'rejected'
              WHERE a.question_id = q.id AND a.is_active AND known.answer_id IS NULL)
          WHERE p.id = ANY(${projects}::bigint[]) GROUP BY p.id) again
        WHERE project.id = again.id RETURNING project.id`,
    );
}
