import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { findIdentities } from '../../kernel/items/find-identities.js';
import { oneOf, tables } from '../../kernel/tables.js';
import { SurveyAnswer, SurveyQuestion } from '../../library/survey/survey.entity.js';
import { projectToChange } from '../project-access/find-project.js';
import { Project } from '../hierarchy/project.entity.js';
import { ProjectAnswer, ProjectDraftAnswer } from './project-survey.entity.js';
import { answersOfProfile, type GivenAnswer, rowsOfAnswers, validAnswers } from './valid-answers.js';

/** Starts a draft with the saved survey, unless there is one. */
async function ensureDraft(em: EntityManager, project: number): Promise<void> {
  await tables(em, Project, ProjectAnswer, ProjectDraftAnswer)
    .with('opened', (database) =>
      database
        .updateTable('project')
        .set((row) => ({ survey_dirty: true, draft_none_questions: row.ref('none_questions') }))
        .where('id', '=', project)
        .where('survey_dirty', '=', false)
        .returning('id'),
    )
    .insertInto('project_draft_answer')
    .columns(['project_id', 'answer_id', 'state'])
    .expression((query) =>
      query
        .selectFrom('project_answer as saved')
        .innerJoin('opened', 'opened.id', 'saved.project_id')
        .select(['saved.project_id', 'saved.answer_id', 'saved.state']),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const deleteDraftAnswers = (em: EntityManager, project: number) =>
  tables(em, ProjectDraftAnswer).deleteFrom('project_draft_answer').where('project_id', '=', project).execute();

async function discardDraft(em: EntityManager, project: number): Promise<void> {
  await deleteDraftAnswers(em, project);
  await tables(em, Project)
    .updateTable('project')
    .set({ survey_dirty: false, draft_none_questions: [], draft_profile_id: null })
    .where('id', '=', project)
    .where((row) => row.or([row('survey_dirty', '=', true), row('draft_profile_id', 'is not', null)]))
    .execute();
}

/** Discards a draft that no longer differs from the saved survey. */
async function discardUnchangedDraft(em: EntityManager, project: number): Promise<void> {
  const database = tables(em, Project, ProjectAnswer, ProjectDraftAnswer);
  const drafted = database
    .selectFrom('project_draft_answer')
    .select(['answer_id as id', 'state'])
    .where('project_id', '=', project);
  const saved = database
    .selectFrom('project_answer')
    .select(['answer_id as id', 'state'])
    .where('project_id', '=', project);
  const difference = await database
    .selectFrom('project')
    .select(['id', sql<string>`'draft'`.as('state')])
    .where('id', '=', project)
    .where((row) =>
      row.or([
        row('none_questions', '<>', row.ref('draft_none_questions')),
        row.and([
          row('draft_profile_id', 'is distinct from', row.ref('profile_id')),
          row('draft_profile_id', 'is not', null),
        ]),
      ]),
    )
    .unionAll((query) => query.parens(drafted.except(saved)))
    .unionAll((query) => query.parens(saved.except(drafted)))
    .limit(1)
    .executeTakeFirst();
  if (!difference) await discardDraft(em, project);
}

/** Adds a question to those that the draft answers with "None of these", or removes it. */
const setNone = (em: EntityManager, project: number, question: number, none: boolean) =>
  sql`
  UPDATE project SET draft_none_questions = ${
    none
      ? sql`ARRAY(SELECT unnest(draft_none_questions) UNION SELECT ${question}::bigint ORDER BY 1)`
      : sql`array_remove(draft_none_questions, ${question}::bigint)`
  }
  WHERE id = ${project} AND (${question} = ANY(draft_none_questions)) <> ${none}`.execute(em.getKysely());

/** An answer that someone chooses or rejects. */
export interface GivenChoice {
  readonly id: number;
  readonly selected: boolean;
  readonly question: number;
  readonly isActive: boolean;
  readonly isSingle: boolean;
}

/** What the draft has to know about answers that someone chooses (`true`) or rejects, by internal id. */
export async function findChoices(
  em: EntityManager,
  given: ReadonlyMap<number, boolean>,
): Promise<readonly GivenChoice[]> {
  const rows = await tables(em, SurveyAnswer, SurveyQuestion)
    .selectFrom('survey_answer as a')
    .innerJoin('survey_question as q', 'q.id', 'a.question_id')
    .select(['a.id', 'a.is_active', 'a.question_id', 'q.format'])
    .where('a.id', '=', oneOf([...given.keys()]))
    .orderBy('a.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    selected: given.get(row.id) ?? false,
    question: row.question_id,
    isActive: row.is_active,
    isSingle: row.format === 'SC',
  }));
}

/**
 * Chooses and rejects answers in the draft. Choosing one takes back "None of these", and deselects the other answers to
 * a single-choice question.
 */
export async function applyChoices(em: EntityManager, project: number, choices: readonly GivenChoice[]): Promise<void> {
  await ensureDraft(em, project);
  const states = choices.map(({ id, selected }): GivenAnswer => ({ id, state: selected ? 'chosen' : 'rejected' }));
  const chosen = choices.filter(({ selected }) => selected);
  const [single, multiple] = [true, false].map((isSingle) =>
    chosen.filter((choice) => choice.isSingle === isSingle).map(({ question }) => question),
  );
  await sql`
    WITH deselected AS (
      DELETE FROM project_draft_answer d USING survey_answer a
      WHERE d.project_id = ${project} AND d.state <> 'rejected' AND a.id = d.answer_id
        AND a.question_id = ANY(${single}::bigint[]) AND a.id <> ALL(${choices.map(({ id }) => id)}::bigint[])),
    answered AS (
      UPDATE project SET draft_none_questions = ARRAY(
        SELECT unnest(draft_none_questions) EXCEPT SELECT unnest(${multiple}::bigint[]) ORDER BY 1)
      WHERE id = ${project} AND draft_none_questions && ${multiple}::bigint[])
    INSERT INTO project_draft_answer (project_id, answer_id, state)
    SELECT ${project}::bigint, listed.answer_id, listed.state FROM ${rowsOfAnswers(states)} listed
    ON CONFLICT (project_id, answer_id) DO UPDATE SET state = excluded.state`.execute(em.getKysely());
}

/** The message for an answer that the library no longer offers. */
export const notSelectable = (answerId: string): string => `"${answerId}" can't be chosen any more.`;

/**
 * Chooses an answer in the draft of a project's survey, which also confirms a suggestion, or rejects it. In
 * single-choice questions, other answers are deselected. Throws `NotFound`, `Forbidden`, and `Invalid` for an inactive
 * answer.
 */
export async function selectAnswer(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  answerId: string,
  selected: boolean | undefined,
): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'survey');
  const id = (await findIdentities(em, actor, 'survey_answer', [answerId])).get(answerId);
  if (id === undefined) throw new NotFound();
  if (selected === undefined) return;
  const choices = await findChoices(em, new Map([[id, selected]]));
  if (selected && !choices.every(({ isActive }) => isActive))
    throw new Invalid({ selected: [notSelectable(answerId)] });
  await applyChoices(em, project.id, choices);
  await discardUnchangedDraft(em, project.id);
}

/**
 * Answers a question in the draft with "None of these", which deselects its answers, or takes that back. Throws
 * `NotFound`, `Forbidden`, and `Invalid` for an unknown question and for one that takes exactly one answer.
 */
export async function answerNone(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  { question: questionId, none }: { readonly question: string | undefined; readonly none: boolean | undefined },
): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'survey');
  if (questionId === undefined && none === undefined) return;
  if (questionId === undefined) throw new Invalid({ question: ['Name the question that "none" answers.'] });
  const question = (await findIdentities(em, actor, 'survey_question', [questionId])).get(questionId);
  if (question === undefined) throw new Invalid({ question: missingMessages(questionId) });
  if (none === undefined) throw new Invalid({ none: ['Say whether none of the answers to the question apply.'] });
  const { format } = await tables(em, SurveyQuestion)
    .selectFrom('survey_question')
    .select('format')
    .where('id', '=', question)
    .executeTakeFirstOrThrow();
  if (format === 'SC') throw new Invalid({ none: [`"${questionId}" needs exactly one answer.`] });
  await ensureDraft(em, project.id);
  await setNone(em, project.id, question, none);
  if (none)
    await sql`DELETE FROM project_draft_answer d USING survey_answer a WHERE d.project_id = ${project.id}
      AND d.state <> 'rejected' AND a.id = d.answer_id AND a.question_id = ${question}`.execute(em.getKysely());
  await discardUnchangedDraft(em, project.id);
}

/**
 * Replaces the selected answers of the draft by those of a profile, as suggestions. What people said stays where it
 * agrees with the profile. The project gets the profile when the draft is saved. Throws `NotFound`, `Forbidden`,
 * `Invalid`.
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
  await sql`
    WITH suggested AS (
      SELECT listed.answer_id, a.question_id FROM ${rowsOfAnswers(answers)} listed
      JOIN survey_answer a ON a.id = listed.answer_id),
    replaced AS (
      DELETE FROM project_draft_answer d WHERE d.project_id = ${project.id}
        AND (d.state <> 'rejected') <> (d.answer_id IN (SELECT answer_id FROM suggested)))
    UPDATE project SET draft_profile_id = ${profile}, draft_none_questions = ARRAY(
      SELECT unnest(draft_none_questions) EXCEPT SELECT question_id FROM suggested ORDER BY 1)
    WHERE id = ${project.id}`.execute(em.getKysely());
  await sql`INSERT INTO project_draft_answer (project_id, answer_id, state)
    SELECT ${project.id}::bigint, listed.answer_id, listed.state FROM ${rowsOfAnswers(answers)} listed
    ON CONFLICT DO NOTHING`.execute(em.getKysely());
  await discardUnchangedDraft(em, project.id);
}

/** Discards the changes in the draft. Throws `NotFound`, `Forbidden`. */
export async function resetDraft(em: EntityManager, actor: Actor, projectId: string): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'survey');
  await discardDraft(em, project.id);
}
