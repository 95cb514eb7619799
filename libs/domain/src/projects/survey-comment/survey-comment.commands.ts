import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, reference, text } from '../../kernel/fields/fields.js';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { authorOf } from '../../kernel/operator.js';
import { findIdentities } from '../../kernel/items/find-identities.js';
import { clockTime, tables } from '../../kernel/tables.js';
import { SurveyQuestion } from '../../library/survey/survey.entity.js';
import {
  assertAuthorOrLead,
  type FoundProject,
  inProject,
  type LocatedProject,
  projectToChange,
} from '../project-access/find-project.js';
import { Forbidden, Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { ProjectSurveyComment } from './survey-comment.entity.js';
import { numericId } from '../../kernel/row-to-change.js';

export const surveyCommentFields = {
  question: reference('survey_question', { description: 'The question that it is about.', example: 'Q4' }),
  text: text({ description: 'The comment.', example: 'To be asked at the next review.' }),
  pinned: boolean({ optional: true, default: false, description: 'Whether it is shown first.' }),
  locked: boolean({ optional: true, default: false, description: 'Whether its text can no longer be changed.' }),
};

type SurveyCommentInput = InputOf<typeof surveyCommentFields>;

async function record(
  em: EntityManager,
  actor: Actor,
  project: LocatedProject,
  verb: 'Added' | 'Updated' | 'Deleted',
  question: number,
  previousText?: string,
): Promise<void> {
  const { item_id: id = '', text: title = '' } =
    (await tables(em, SurveyQuestion)
      .selectFrom('survey_question')
      .select(['item_id', 'text'])
      .where('id', '=', question)
      .executeTakeFirst()) ?? {};
  await recordActivity(em, actor, {
    subject: 'survey_comment',
    verb,
    id,
    title,
    also: inProject(project),
    ...(previousText !== undefined && { details: { previous_desc: previousText } }),
  });
}

/** Adds a comment to a question of a survey; returns its id. Throws `NotFound`, `Forbidden`, `Invalid`. */
export async function createSurveyComment(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  input: SurveyCommentInput,
): Promise<string> {
  const project = await projectToChange(em, actor, projectId, 'notes');
  const question = (await findIdentities(em, actor, 'survey_question', [input.question])).get(input.question);
  if (question === undefined) throw new Invalid({ question: missingMessages(input.question) });
  const { text, pinned = false, locked = false } = input;
  const { id } = await tables(em, ProjectSurveyComment)
    .insertInto('project_survey_comment')
    .values({ project_id: project.id, question_id: question, text, pinned, locked, author_id: authorOf(actor) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(em, actor, project, 'Added', question);
  return String(id);
}

interface FoundComment {
  readonly project: FoundProject;
  readonly comment: {
    readonly id: number;
    readonly question_id: number;
    readonly author_id: number | null;
    readonly text: string;
    readonly locked: boolean;
  };
}

/** Finds and locks a comment. Throws `NotFound`, `Forbidden`. */
async function commentToChange(em: EntityManager, actor: Actor, projectId: string, id: string): Promise<FoundComment> {
  const project = await projectToChange(em, actor, projectId, 'notes');
  const comment = await tables(em, ProjectSurveyComment)
    .selectFrom('project_survey_comment')
    .select(['id', 'question_id', 'author_id', 'text', 'locked'])
    .where('id', '=', numericId(id))
    .where('project_id', '=', project.id)
    .forUpdate()
    .executeTakeFirst();
  if (!comment) throw new NotFound();
  return { project, comment };
}

/**
 * Changes a comment; the activity keeps the previous text. Only its author can change its text, and no one while it is
 * locked. Throws `NotFound`, `Forbidden`, `Invalid`.
 */
export async function updateSurveyComment(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
  { text: requestedText, pinned, locked }: Partial<Omit<SurveyCommentInput, 'question'>>,
): Promise<void> {
  if (requestedText === undefined && pinned === undefined && locked === undefined) return;
  const { project, comment } = await commentToChange(em, actor, projectId, id);
  const text = requestedText === comment.text ? undefined : requestedText;
  if (text !== undefined && comment.author_id !== actor.id)
    throw new Forbidden('Only its author may change the text of a comment.');
  if (text !== undefined && comment.locked && locked !== false)
    throw new Invalid({ text: ['This comment is locked. Set "locked" to false first.'] });
  await tables(em, ProjectSurveyComment)
    .updateTable('project_survey_comment')
    .set({ text, pinned, locked, updated_at: clockTime })
    .where('id', '=', comment.id)
    .execute();
  await record(em, actor, project, 'Updated', comment.question_id, text === undefined ? undefined : comment.text);
}

/**
 * Deletes a comment; the activity keeps its text. Only its author and leads of the project may do this. Throws
 * `NotFound`, `Forbidden`.
 */
export async function deleteSurveyComment(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
): Promise<void> {
  const { project, comment } = await commentToChange(em, actor, projectId, id);
  assertAuthorOrLead(actor, project, comment.author_id);
  await tables(em, ProjectSurveyComment).deleteFrom('project_survey_comment').where('id', '=', comment.id).execute();
  await record(em, actor, project, 'Deleted', comment.question_id, comment.text);
}
