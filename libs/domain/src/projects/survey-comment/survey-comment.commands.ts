import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { authorOf } from '../../kernel/operator.js';
import { findIdentities } from '../../kernel/find-identities.js';
import { inProject, type LocatedProject, projectToChange } from '../project-access/find-project.js';
import { Forbidden, Invalid, missing, NotFound } from '../../kernel/domain-errors.js';

/** A comment as a client gives it. */
export interface SurveyCommentInput {
  readonly question: string;
  readonly text: string;
  readonly pinned?: boolean;
  readonly locked?: boolean;
}

async function record(
  em: EntityManager,
  actor: Actor,
  project: LocatedProject,
  verb: 'Added' | 'Updated',
  question: number,
): Promise<void> {
  const { rows } = await sql<{ item_id: string; text: string }>`
    SELECT item_id, text FROM survey_question WHERE id = ${question}`.execute(em.getKysely());
  const { item_id: id = '', text: title = '' } = rows[0] ?? {};
  await recordActivity(em, actor, { subject: 'survey_comment', verb, id, title, also: inProject(project) });
}

/** Comments on a question of a project's survey; returns the comment's id. Throws `NotFound`, `Forbidden`, `Invalid`. */
export async function createSurveyComment(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  input: SurveyCommentInput,
): Promise<string> {
  const project = await projectToChange(em, actor, projectId, 'notes');
  const question = (await findIdentities(em, actor, 'survey_question', [input.question])).get(input.question);
  if (question === undefined) throw new Invalid({ question: missing(input.question) });
  const { rows } = await sql<{ id: string }>`
    INSERT INTO project_survey_comment (project_id, question_id, text, pinned, locked, author_id)
    VALUES (${project.id}, ${question}, ${input.text}, ${input.pinned ?? false}, ${input.locked ?? false}, ${authorOf(actor)})
    RETURNING id`.execute(em.getKysely());
  await record(em, actor, project, 'Added', question);
  return rows[0]?.id ?? '';
}

/**
 * Changes a comment. Its text is its author's, and nobody's while it is locked. Throws `NotFound`, `Forbidden`, `Invalid`.
 */
export async function updateSurveyComment(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
  { text: given, pinned, locked }: Partial<Omit<SurveyCommentInput, 'question'>>,
): Promise<void> {
  if (given === undefined && pinned === undefined && locked === undefined) return;
  const project = await projectToChange(em, actor, projectId, 'notes');
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  const { rows } = await sql<{ question_id: string; author_id: string | null; text: string; locked: boolean }>`
    SELECT question_id, author_id, text, locked FROM project_survey_comment
    WHERE id = ${id}::bigint AND project_id = ${project.id} FOR UPDATE`.execute(em.getKysely());
  const comment = rows[0];
  if (!comment) throw new NotFound();
  const text = given === comment.text ? undefined : given;
  if (text !== undefined && Number(comment.author_id) !== actor.id)
    throw new Forbidden('Only its author may change the text of a comment.');
  if (text !== undefined && comment.locked && locked !== false)
    throw new Invalid({ text: ['This comment is locked. Set "locked" to false first.'] });
  await sql`
    UPDATE project_survey_comment SET text = coalesce(${text ?? null}, text), pinned = coalesce(${pinned ?? null}, pinned),
      locked = coalesce(${locked ?? null}, locked), updated_at = clock_timestamp()
    WHERE id = ${id}::bigint`.execute(em.getKysely());
  await record(em, actor, project, 'Updated', Number(comment.question_id));
}
