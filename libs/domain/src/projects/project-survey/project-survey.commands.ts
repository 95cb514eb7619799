import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { oneOf, tables } from '../../kernel/tables.js';
import { SurveyAnswer } from '../../library/survey/survey.entity.js';
import { asSubject, projectToChange } from '../project-access/find-project.js';
import { refreshProjects } from '../project-content/refresh-project.js';
import { deleteDraftAnswers } from './survey-draft.commands.js';
import { draftNone, draftStates, isAnswered, openQuestions, savedStates } from './survey-state.sql.js';
import { answersOfProfile, type GivenAnswer, rowsOfAnswers, validAnswers } from './valid-answers.js';

/** What the draft of a project says about answers, as a subquery. */
const statesInDraft = (project: number): Sql =>
  sql`(SELECT d.* FROM project p CROSS JOIN LATERAL ${draftStates('p')} d WHERE p.id = ${project})`;

interface ChangedAnswers {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/**
 * Replaces what the saved survey of a project says about answers. Returns internal ids of the answers that are selected
 * now and were not before, and of those that no longer are.
 */
async function writeAnswers(
  em: EntityManager,
  project: number,
  answers: readonly GivenAnswer[],
): Promise<ChangedAnswers> {
  const { rows } = await sql<{ id: number; added: boolean }>`
    WITH saved AS MATERIALIZED (SELECT answer_id, state FROM project_answer WHERE project_id = ${project}),
    listed AS MATERIALIZED (SELECT * FROM ${rowsOfAnswers(answers)} listed),
    removed AS (
      DELETE FROM project_answer
      WHERE project_id = ${project} AND answer_id NOT IN (SELECT answer_id FROM listed)),
    written AS (
      INSERT INTO project_answer (project_id, answer_id, state)
      SELECT ${project}::bigint, answer_id, state FROM (TABLE listed EXCEPT TABLE saved) changed
      ON CONFLICT (project_id, answer_id) DO UPDATE SET state = excluded.state)
    SELECT answer_id AS id, listed.answer_id IS NOT NULL AS added
    FROM (SELECT * FROM saved WHERE state <> 'rejected') saved
    FULL JOIN (SELECT * FROM listed WHERE state <> 'rejected') listed USING (answer_id)
    WHERE saved.answer_id IS NULL OR listed.answer_id IS NULL`.execute(em.getKysely());
  const idsOf = (added: boolean): number[] => rows.filter((row) => row.added === added).map((row) => row.id);
  return { added: idsOf(true), removed: idsOf(false) };
}

/** The changed answers for an activity: public ids, and the current texts. */
async function detailsOf(em: EntityManager, changed: ChangedAnswers): Promise<Readonly<Record<string, object>>> {
  const rows = await tables(em, SurveyAnswer)
    .selectFrom('survey_answer')
    .select(['id', 'item_id', 'text'])
    .where('id', '=', oneOf([...changed.added, ...changed.removed]))
    .orderBy('organization_id', (order) => order.asc().nullsFirst())
    .orderBy('number')
    .execute();
  const listsOf = (member: 'item_id' | 'text') => {
    const list = (ids: readonly number[]) => {
      const idSet = new Set(ids);
      return rows.filter(({ id }) => idSet.has(id)).map((row) => row[member]);
    };
    return { added: list(changed.added), removed: list(changed.removed) };
  };
  return { answers: listsOf('item_id'), answers_desc: listsOf('text') };
}

/**
 * Closes the draft of a project whose answers have been saved: keeps "None of these" for open questions, and notes
 * whether each open question that has an active answer is answered. Returns whether the survey is complete.
 */
async function closeDraft(em: EntityManager, actor: Actor, project: number): Promise<boolean> {
  const { rows } = await sql<{ complete: boolean }>`
  UPDATE project SET survey_dirty = false, none_questions = result.none, draft_none_questions = '{}',
    profile_id = coalesce(project.draft_profile_id, project.profile_id), draft_profile_id = NULL,
    survey_complete = result.complete, updated_at = clock_timestamp()
  FROM (SELECT p.id, survey.* FROM project p CROSS JOIN LATERAL (
    WITH ${openQuestions(savedStates('p'), actor.organizationId)}
    SELECT ARRAY(SELECT id FROM open_question WHERE id = ANY(${draftNone('p')}) ORDER BY 1) AS none,
      NOT EXISTS (
        SELECT 1 FROM open_question JOIN survey_question q USING (id)
        WHERE EXISTS (SELECT 1 FROM survey_answer a WHERE a.question_id = q.id AND a.is_active)
          AND NOT ${isAnswered(draftNone('p'))}) AS complete) survey
    WHERE p.id = ${project}) result
  WHERE project.id = result.id RETURNING project.survey_complete AS complete`.execute(em.getKysely());
  return rows[0]?.complete === true;
}

/**
 * Saves the draft of a locked project, and refreshes its content. Returns the answers that it added and removed, and
 * whether the survey is complete.
 */
export async function commitDraft(
  em: EntityManager,
  actor: Actor,
  project: number,
): Promise<{ readonly changed: ChangedAnswers; readonly isComplete: boolean }> {
  const changed = await writeAnswers(em, project, await validAnswers(em, actor, statesInDraft(project)));
  await deleteDraftAnswers(em, project);
  const isComplete = await closeDraft(em, actor, project);
  await refreshProjects(em, actor, [project]);
  return { changed, isComplete };
}

/**
 * Saves the draft of a survey, without answers to closed questions, and refreshes the project. Suggestions stay
 * suggestions. Throws `NotFound`, `Forbidden`.
 */
export async function saveDraft(em: EntityManager, actor: Actor, projectId: string): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'survey');
  const { changed, isComplete } = await commitDraft(em, actor, project.id);
  const survey = { ...asSubject(project), subject: 'project_survey' } as const;
  await recordActivity(
    em,
    actor,
    { ...survey, verb: 'Changed', details: await detailsOf(em, changed) },
    ...(isComplete && !project.surveyComplete ? [{ ...survey, verb: 'Completed' } as const] : []),
  );
}

/**
 * Suggests the first answers of a new project, from its base project or else from its profile, and calculates its
 * content. This answers no question: someone has to confirm them.
 */
export async function initializeSurvey(
  em: EntityManager,
  actor: Actor,
  project: number,
  { profileId, baseProjectId }: { readonly profileId: number | null; readonly baseProjectId: number | null },
): Promise<void> {
  const answers =
    baseProjectId === null
      ? answersOfProfile(profileId)
      : sql`(SELECT s.answer_id, 'suggested' FROM project_answer s
          WHERE s.project_id = ${baseProjectId} AND s.state <> 'rejected')`;
  await writeAnswers(em, project, await validAnswers(em, actor, answers));
  await refreshProjects(em, actor, [project]);
}
