import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { authorOf } from '../../kernel/operator.js';
import { clockTime, tables } from '../../kernel/tables.js';
import { assertAuthorOrLead, type FoundProject, projectToChange } from '../project-access/find-project.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { ProjectCountermeasureNote } from './project-countermeasure-part.entity.js';
import { subjectOf, findCountermeasure, type FoundCountermeasure } from './find-countermeasure.js';
import { numericId } from '../../kernel/row-to-change.js';

/** The ids of a project and its countermeasure in the path of a note. */
export interface NotePath {
  readonly project: string;
  readonly task: string;
}

/**
 * Adds the same note to countermeasures of a project; returns the ids of the notes. The caller has checked the actor's
 * capabilities.
 */
export async function insertNotes(
  em: EntityManager,
  actor: Actor,
  project: FoundProject,
  countermeasures: readonly FoundCountermeasure[],
  text: string,
): Promise<string[]> {
  const identities = countermeasures.map(({ identity }) => identity);
  const { rows } = await sql<{ id: string }>`
    INSERT INTO project_countermeasure_note (project_countermeasure_id, text, author_id, updated_by)
    SELECT identity, ${text}, ${authorOf(actor)}::bigint, ${authorOf(actor)}::bigint
    FROM unnest(${identities}::bigint[]) identity RETURNING id`.execute(em.getKysely());
  await recordActivity(
    em,
    actor,
    ...countermeasures.map(
      (countermeasure) => ({ subject: 'note', verb: 'Added', ...subjectOf(project, countermeasure) }) as const,
    ),
  );
  return rows.map(({ id }) => id);
}

/** Adds a note; returns its id. Throws `NotFound`, `Forbidden`. */
export async function createNote(em: EntityManager, actor: Actor, path: NotePath, text: string): Promise<string> {
  const project = await projectToChange(em, actor, path.project, 'notes');
  const countermeasure = await findCountermeasure(em, actor.organizationId, project, path.task);
  const [id = ''] = await insertNotes(em, actor, project, [countermeasure], text);
  return id;
}

interface NoteToChange {
  readonly id: number;
  readonly text: string;
  /** The project and the countermeasure, as the subject of an activity. */
  readonly subject: ReturnType<typeof subjectOf>;
}

/** Finds a note that the actor wrote, or in a project that they lead. Throws `NotFound`, `Forbidden`. */
async function noteToChange(em: EntityManager, actor: Actor, path: NotePath, id: string): Promise<NoteToChange> {
  const project = await projectToChange(em, actor, path.project, 'notes');
  const countermeasure = await findCountermeasure(em, actor.organizationId, project, path.task);
  const note = await tables(em, ProjectCountermeasureNote)
    .selectFrom('project_countermeasure_note')
    .select(['id', 'text', 'author_id'])
    .where('id', '=', numericId(id))
    .where('project_countermeasure_id', '=', countermeasure.identity)
    .forUpdate()
    .executeTakeFirst();
  if (!note) throw new NotFound();
  assertAuthorOrLead(actor, project, note.author_id);
  return { id: note.id, text: note.text, subject: subjectOf(project, countermeasure) };
}

/**
 * Changes the text of a note; the activity keeps the previous text. Only its author and leads of the project may do
 * this. Throws `NotFound`, `Forbidden`.
 */
export async function updateNote(
  em: EntityManager,
  actor: Actor,
  path: NotePath,
  id: string,
  text: string | undefined,
): Promise<void> {
  if (text === undefined) return;
  const note = await noteToChange(em, actor, path, id);
  await tables(em, ProjectCountermeasureNote)
    .updateTable('project_countermeasure_note')
    .set({ text, updated_at: clockTime, updated_by: authorOf(actor) })
    .where('id', '=', note.id)
    .execute();
  const details = { previous_desc: note.text };
  await recordActivity(em, actor, { subject: 'note', verb: 'Updated', ...note.subject, details });
}

/**
 * Deletes a note; the activity keeps its text. Only its author and leads of the project may do this. Throws `NotFound`,
 * `Forbidden`.
 */
export async function deleteNote(em: EntityManager, actor: Actor, path: NotePath, id: string): Promise<void> {
  const note = await noteToChange(em, actor, path, id);
  await tables(em, ProjectCountermeasureNote)
    .deleteFrom('project_countermeasure_note')
    .where('id', '=', note.id)
    .execute();
  const details = { previous_desc: note.text };
  await recordActivity(em, actor, { subject: 'note', verb: 'Deleted', ...note.subject, details });
}
