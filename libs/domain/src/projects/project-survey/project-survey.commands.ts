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
import { drafted, openQuestions } from './survey-state.sql.js';

/** Of these answers, those that can be chosen, one of each question that takes one. */
const choosable = (answers: Sql): Sql => sql`(
  SELECT id FROM (
    SELECT a.id, q.format, row_number() OVER (PARTITION BY a.question_id ORDER BY a.ordinal, a.id) AS place
    FROM survey_answer a JOIN survey_question q ON q.id = a.question_id
    WHERE a.is_active AND a.id IN (SELECT * FROM ${answers} given))
  ranked WHERE format <> 'SC' OR place = 1)`;

/** Of these answers, those that a survey can be saved with: those that can be chosen, of open questions. */
async function validOf(em: EntityManager, actor: Actor, answers: Sql): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    WITH ${openQuestions(choosable(answers), actor.organizationId)}
    SELECT a.id FROM chosen JOIN survey_answer a ON a.id = chosen.answer_id
    WHERE a.question_id IN (SELECT id FROM open_question)`.execute(em.getKysely());
  return rows.map((row) => row.id);
}

/** The answers of the draft of a project, as a subquery. */
const draftOf = (project: number): Sql =>
  sql`(SELECT d.answer_id FROM project p CROSS JOIN LATERAL ${drafted('p')} d WHERE p.id = ${project})`;

/** Begins a draft with what is saved, where there is none. */
async function openDraft(em: EntityManager, project: number): Promise<void> {
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

async function dropDraft(em: EntityManager, project: number): Promise<void> {
  await deleteDraftAnswers(em, project);
  await tables(em, Project)
    .updateTable('project')
    .set({ survey_dirty: false, draft_profile_id: null })
    .where('id', '=', project)
    .where((row) => row.or([row('survey_dirty', '=', true), row('draft_profile_id', 'is not', null)]))
    .execute();
}

/** Drops a draft that no longer differs from what is saved. */
async function settleDraft(em: EntityManager, project: number): Promise<void> {
  const one = (table: string): Sql => sql`SELECT answer_id FROM ${sql.table(table)} WHERE project_id = ${project}`;
  const { rows } = await sql`
    SELECT 1 FROM project
    WHERE id = ${project} AND draft_profile_id IS DISTINCT FROM profile_id AND draft_profile_id IS NOT NULL
    UNION ALL (${one('project_draft_answer')} EXCEPT ${one('project_answer')})
    UNION ALL (${one('project_answer')} EXCEPT ${one('project_draft_answer')}) LIMIT 1`.execute(em.getKysely());
  if (!rows.length) await dropDraft(em, project);
}

/**
 * Chooses an answer in the draft of a project's survey, or takes it back. In a question that takes one answer the
 * others are taken back by it. Throws `NotFound`, `Forbidden`, and `Invalid` for an answer that was switched off.
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
  await openDraft(em, project.id);
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
  await settleDraft(em, project.id);
}

/**
 * Puts the answers of a profile in the place of those of the draft; the project gets the profile when the draft is
 * saved. Throws `NotFound`, `Forbidden`, `Invalid`.
 */
export async function draftProfile(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  profileId: string | undefined,
): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'survey');
  if (profileId === undefined) return;
  const profile = (await findIdentities(em, actor, 'profile', [profileId])).get(profileId);
  if (profile === undefined) throw new Invalid({ profile: missingMessages(profileId) });
  const answers = await validOf(em, actor, answersOfProfile(profile));
  await openDraft(em, project.id);
  await tables(em, Project)
    .updateTable('project')
    .set({ draft_profile_id: profile })
    .where('id', '=', project.id)
    .execute();
  await deleteDraftAnswers(em, project.id);
  await sql`INSERT INTO project_draft_answer (project_id, answer_id)
    SELECT ${project.id}::bigint, unnest(${answers}::bigint[])`.execute(em.getKysely());
  await settleDraft(em, project.id);
}

const answersOfProfile = (profile: number | null): Sql =>
  sql`(SELECT unnest(f.answers) FROM profile f WHERE f.id = ${profile})`;

/** Drops what was changed in the draft. Throws `NotFound`, `Forbidden`. */
export async function resetDraft(em: EntityManager, actor: Actor, projectId: string): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'survey');
  await dropDraft(em, project.id);
}

interface ChangedAnswers {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/** Makes these the saved answers of a project. Returns internal ids of what was added and removed. */
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

/** What activities say of changed answers: public ids, and the texts at this time. */
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
      const wanted = new Set(ids);
      return rows.filter(({ id }) => wanted.has(id)).map((row) => row[member]);
    };
    return { added: list(changed.added), removed: list(changed.removed) };
  };
  return { answers: listsOf('item_id'), answers_desc: listsOf('text') };
}

/** Whether each open question that takes one answer has one. Those that take several may well have none. */
const completeWith = (actor: Actor, project: number): Sql => {
  const saved = sql`(SELECT answer_id FROM project_answer WHERE project_id = ${project})`;
  return sql`(WITH ${openQuestions(saved, actor.organizationId)}
    SELECT NOT EXISTS (
      SELECT 1 FROM open_question JOIN survey_question q USING (id)
      WHERE q.format = 'SC' AND EXISTS (SELECT 1 FROM survey_answer a WHERE a.question_id = q.id AND a.is_active)
        AND NOT EXISTS (
          SELECT 1 FROM survey_answer a JOIN chosen ON chosen.answer_id = a.id WHERE a.question_id = q.id)))`;
};

/**
 * Saves the draft of a project's survey, without answers of questions that are not open, and works out the project
 * anew. Throws `NotFound`, `Forbidden`.
 */
export async function saveDraft(em: EntityManager, actor: Actor, projectId: string): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'survey');
  const changed = await writeAnswers(em, project.id, await validOf(em, actor, draftOf(project.id)));
  await deleteDraftAnswers(em, project.id);
  await tables(em, Project)
    .updateTable('project')
    .set(({ fn }) => ({
      survey_dirty: false,
      profile_id: fn.coalesce('draft_profile_id', 'profile_id'),
      draft_profile_id: null,
      survey_complete: sql<boolean>`${completeWith(actor, project.id)}`,
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
 * Gives a new project its first answers, those of the project that it was begun from, else of its profile, and works
 * out what it contains. Its survey is not complete by that: someone has to look at it and save it.
 */
export async function beginSurvey(
  em: EntityManager,
  actor: Actor,
  project: number,
  { profileId, baseProjectId }: { readonly profileId: number | null; readonly baseProjectId: number | null },
): Promise<void> {
  const answers =
    baseProjectId === null
      ? answersOfProfile(profileId)
      : sql`(SELECT s.answer_id FROM project_answer s WHERE s.project_id = ${baseProjectId})`;
  await writeAnswers(em, project, await validOf(em, actor, answers));
  await refreshProjects(em, actor, [project]);
}
