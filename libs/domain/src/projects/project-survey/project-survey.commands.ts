import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { findIdentities } from '../../kernel/find-identities.js';
import { clockTime, oneOf, tables } from '../../kernel/tables.js';
import { SurveyAnswer, SurveyQuestion } from '../../library/survey/survey.entity.js';
import { asSubject, projectToChange } from '../project-access/find-project.js';
import { refreshProjects } from '../project-content/refresh-project.js';
import { Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { Project } from '../project-access/project.entity.js';
import { ProjectAnswer, ProjectDraftAnswer } from './project-survey.entity.js';
import { draftAnswerIds, openQuestions } from './survey-state.sql.js';

/** The answers among these that can be selected: active ones, and only one per single-choice question. */
const selectableAnswers = (answers: Sql): Sql => sql`(
  SELECT id FROM (
    SELECT a.id, q.format, row_number() OVER (PARTITION BY a.question_id ORDER BY a.ordinal, a.id) AS place
    FROM survey_answer a JOIN survey_question q ON q.id = a.question_id
    WHERE a.is_active AND a.id IN (SELECT * FROM ${answers} candidate))
  ranked WHERE format <> 'SC' OR place = 1)`;

/** The answers among these that are valid in a saved survey: selectable answers of open questions. */
async function validAnswers(em: EntityManager, actor: Actor, answers: Sql): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    WITH ${openQuestions(selectableAnswers(answers), actor.organizationId)}
    SELECT a.id FROM chosen JOIN survey_answer a ON a.id = chosen.answer_id
    WHERE a.question_id IN (SELECT id FROM open_question)`.execute(em.getKysely());
  return rows.map((row) => row.id);
}

/** The answers in the draft of a project, as a subquery. */
const draftAnswers = (project: number): Sql =>
  sql`(SELECT d.answer_id FROM project p CROSS JOIN LATERAL ${draftAnswerIds('p')} d WHERE p.id = ${project})`;

/** Starts a draft with the saved answers, unless there is one. */
async function ensureDraft(em: EntityManager, project: number): Promise<void> {
  await tables(em, Project, ProjectAnswer, ProjectDraftAnswer)
    .with('opened', (database) =>
      database
        .updateTable('project')
        .set({ survey_dirty: true })
        .where('id', '=', project)
        .where('survey_dirty', '=', false)
        .returning('id'),
    )
    .insertInto('project_draft_answer')
    .columns(['project_id', 'answer_id'])
    .expression((query) =>
      query
        .selectFrom('project_answer as saved')
        .innerJoin('opened', 'opened.id', 'saved.project_id')
        .select(['saved.project_id', 'saved.answer_id']),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const deleteDraftAnswers = (em: EntityManager, project: number) =>
  tables(em, ProjectDraftAnswer).deleteFrom('project_draft_answer').where('project_id', '=', project).execute();

async function discardDraft(em: EntityManager, project: number): Promise<void> {
  await deleteDraftAnswers(em, project);
  await tables(em, Project)
    .updateTable('project')
    .set({ survey_dirty: false, draft_profile_id: null })
    .where('id', '=', project)
    .where((row) => row.or([row('survey_dirty', '=', true), row('draft_profile_id', 'is not', null)]))
    .execute();
}

/** Discards a draft that no longer differs from the saved survey. */
async function discardUnchangedDraft(em: EntityManager, project: number): Promise<void> {
  const database = tables(em, Project, ProjectAnswer, ProjectDraftAnswer);
  const drafted = database
    .selectFrom('project_draft_answer')
    .select('answer_id as id')
    .where('project_id', '=', project);
  const saved = database.selectFrom('project_answer').select('answer_id as id').where('project_id', '=', project);
  const difference = await database
    .selectFrom('project')
    .select('id')
    .where('id', '=', project)
    .whereRef('draft_profile_id', 'is distinct from', 'profile_id')
    .where('draft_profile_id', 'is not', null)
    .unionAll((query) => query.parens(drafted.except(saved)))
    .unionAll((query) => query.parens(saved.except(drafted)))
    .limit(1)
    .executeTakeFirst();
  if (!difference) await discardDraft(em, project);
}

/**
 * Selects an answer in the draft of a project's survey, or deselects it. In single-choice questions, other answers are
 * deselected. Throws `NotFound`, `Forbidden`, and `Invalid` for an inactive answer.
 */
export async function selectAnswer(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  answerId: string,
  selected: boolean | undefined,
): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'survey');
  const answer = (await findIdentities(em, actor, 'survey_answer', [answerId])).get(answerId);
  if (answer === undefined) throw new NotFound();
  if (selected === undefined) return;
  const database = tables(em, ProjectDraftAnswer, SurveyAnswer, SurveyQuestion);
  await ensureDraft(em, project.id);
  if (selected) {
    const active = await database
      .selectFrom('survey_answer')
      .select('id')
      .where('id', '=', answer)
      .where('is_active', '=', true)
      .executeTakeFirst();
    if (!active) throw new Invalid({ selected: [`"${answerId}" can't be chosen any more.`] });
    await database
      .insertInto('project_draft_answer')
      .values({ project_id: project.id, answer_id: answer })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await database
      .deleteFrom('project_draft_answer as d')
      .using('survey_answer as chosen')
      .innerJoin('survey_question as q', (on) => on.onRef('q.id', '=', 'chosen.question_id').on('q.format', '=', 'SC'))
      .innerJoin('survey_answer as other', (on) =>
        on.onRef('other.question_id', '=', 'q.id').onRef('other.id', '<>', 'chosen.id'),
      )
      .where('chosen.id', '=', answer)
      .where('d.project_id', '=', project.id)
      .whereRef('d.answer_id', '=', 'other.id')
      .execute();
  } else {
    await database
      .deleteFrom('project_draft_answer')
      .where('project_id', '=', project.id)
      .where('answer_id', '=', answer)
      .execute();
  }
  await discardUnchangedDraft(em, project.id);
}

/**
 * Replaces the answers of the draft by those of a profile. The project gets the profile when the draft is saved. Throws
 * `NotFound`, `Forbidden`, `Invalid`.
 */
export async function selectProfile(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  profileId: string | undefined,
): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'survey');
  if (profileId === undefined) return;
  const profile = (await findIdentities(em, actor, 'profile', [profileId])).get(profileId);
  if (profile === undefined) throw new Invalid({ profile: missingMessages(profileId) });
  const answers = await validAnswers(em, actor, answersOfProfile(profile));
  await ensureDraft(em, project.id);
  await tables(em, Project)
    .updateTable('project')
    .set({ draft_profile_id: profile })
    .where('id', '=', project.id)
    .execute();
  await deleteDraftAnswers(em, project.id);
  await sql`INSERT INTO project_draft_answer (project_id, answer_id)
    SELECT ${project.id}::bigint, unnest(${answers}::bigint[])`.execute(em.getKysely());
  await discardUnchangedDraft(em, project.id);
}

const answersOfProfile = (profile: number | null): Sql =>
  sql`(SELECT unnest(f.answers) FROM profile f WHERE f.id = ${profile})`;

/** Discards the changes in the draft. Throws `NotFound`, `Forbidden`. */
export async function resetDraft(em: EntityManager, actor: Actor, projectId: string): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'survey');
  await discardDraft(em, project.id);
}

interface ChangedAnswers {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/** Replaces the saved answers of a project. Returns internal ids of the answers that were added and removed. */
async function writeAnswers(em: EntityManager, project: number, answers: readonly number[]): Promise<ChangedAnswers> {
  const { rows } = await sql<{ id: number; added: boolean }>`
    WITH removed AS (
      DELETE FROM project_answer WHERE project_id = ${project} AND answer_id <> ALL(${answers}::bigint[])
      RETURNING answer_id),
    added AS (
      INSERT INTO project_answer (project_id, answer_id) SELECT ${project}::bigint, unnest(${answers}::bigint[])
      ON CONFLICT DO NOTHING RETURNING answer_id)
    SELECT answer_id AS id, true AS added FROM added UNION ALL SELECT answer_id, false FROM removed`.execute(
    em.getKysely(),
  );
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

/** Whether each open single-choice question has an answer. Multiple-choice questions may have none. */
const isSurveyComplete = (actor: Actor, project: number): Sql => {
  const saved = sql`(SELECT answer_id FROM project_answer WHERE project_id = ${project})`;
  return sql`(WITH ${openQuestions(saved, actor.organizationId)}
    SELECT NOT EXISTS (
      SELECT 1 FROM open_question JOIN survey_question q USING (id)
      WHERE q.format = 'SC' AND EXISTS (SELECT 1 FROM survey_answer a WHERE a.question_id = q.id AND a.is_active)
        AND NOT EXISTS (
          SELECT 1 FROM survey_answer a JOIN chosen ON chosen.answer_id = a.id WHERE a.question_id = q.id)))`;
};

/**
 * Saves the draft of a survey, without answers of closed questions, and refreshes the project. Throws `NotFound`,
 * `Forbidden`.
 */
export async function saveDraft(em: EntityManager, actor: Actor, projectId: string): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'survey');
  const changed = await writeAnswers(em, project.id, await validAnswers(em, actor, draftAnswers(project.id)));
  await deleteDraftAnswers(em, project.id);
  await tables(em, Project)
    .updateTable('project')
    .set(({ fn }) => ({
      survey_dirty: false,
      profile_id: fn.coalesce('draft_profile_id', 'profile_id'),
      draft_profile_id: null,
      survey_complete: sql<boolean>`${isSurveyComplete(actor, project.id)}`,
      updated_at: clockTime,
    }))
    .where('id', '=', project.id)
    .execute();
  await refreshProjects(em, actor, [project.id]);
  await recordActivity(em, actor, {
    ...asSubject(project),
    subject: 'project_survey',
    verb: 'Changed',
    details: await detailsOf(em, changed),
  });
}

/**
 * Gives a new project its first answers, from its base project or else from its profile, and calculates its content.
 * This does not complete its survey: someone has to review and save it.
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
      : sql`(SELECT s.answer_id FROM project_answer s WHERE s.project_id = ${baseProjectId})`;
  await writeAnswers(em, project, await validAnswers(em, actor, answers));
  await refreshProjects(em, actor, [project]);
}
