import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { authorOf } from '../../kernel/operator.js';
import { clockTime, tables } from '../../kernel/tables.js';
import { type FoundProject, projectToChange } from '../project-access/find-project.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { ProjectCountermeasureNote } from './project-countermeasure-part.entity.js';
import { aboutCountermeasure, findCountermeasure, type FoundCountermeasure } from './find-countermeasure.js';

/** Where a note is: its project and its countermeasure, by the ids of its path. */
export interface NotePlace {
  readonly project: string;
  readonly task: string;
}

/** Writes a note of a countermeasure; returns its id. The caller has checked that the actor may. */
export async function insertNote(
  em: EntityManager,
  actor: Actor,
  project: FoundProject,
  found: FoundCountermeasure,
  text: string,
): Promise<string> {
  const { id } = await tables(em, ProjectCountermeasureNote)
    .insertInto('project_countermeasure_note')
    .values({ project_countermeasure_id: found.identity, text, updated_by: authorOf(actor) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordActivity(em, actor, { subject: 'note', verb: 'Added', ...aboutCountermeasure(project, found) });
  return String(id);
}

/** Writes a note; returns its id. Throws `NotFound`, `Forbidden`. */
export async function createNote(em: EntityManager, actor: Actor, place: NotePlace, text: string): Promise<string> {
  const project = await projectToChange(em, actor, place.project, 'notes');
  const found = await findCountermeasure(em, actor.organizationId, project, place.task);
  return insertNote(em, actor, project, found, text);
}

/** Changes what a note says. Throws `NotFound`, `Forbidden`. */
export async function updateNote(
  em: EntityManager,
  actor: Actor,
  place: NotePlace,
  id: string,
  text: string | undefined,
): Promise<void> {
  if (text === undefined) return;
  const project = await projectToChange(em, actor, place.project, 'notes');
  const found = await findCountermeasure(em, actor.organizationId, project, place.task);
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  const { numUpdatedRows } = await tables(em, ProjectCountermeasureNote)
    .updateTable('project_countermeasure_note')
    .set({ text, updated_at: clockTime, updated_by: authorOf(actor) })
    .where('id', '=', Number(id))
    .where('project_countermeasure_id', '=', found.identity)
    .executeTakeFirstOrThrow();
  if (!numUpdatedRows) throw new NotFound();
  await recordActivity(em, actor, { subject: 'note', verb: 'Updated', ...aboutCountermeasure(project, found) });
}
