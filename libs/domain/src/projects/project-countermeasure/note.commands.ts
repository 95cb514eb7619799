import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { authorOf } from '../../kernel/operator.js';
import { type FoundProject, projectToChange } from '../project-access/find-project.js';
import { NotFound } from '../../kernel/domain-errors.js';
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
  const { rows } = await sql<{ id: string }>`
    INSERT INTO project_countermeasure_note (project_countermeasure_id, text, updated_by)
    VALUES (${found.identity}, ${text}, ${authorOf(actor)}) RETURNING id`.execute(em.getKysely());
  await recordActivity(em, actor, { subject: 'note', verb: 'Added', ...aboutCountermeasure(project, found) });
  return rows[0]?.id ?? '';
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
  const { rows } = await sql`
    UPDATE project_countermeasure_note
      SET text = ${text}, updated_at = clock_timestamp(), updated_by = ${authorOf(actor)}
    WHERE id = ${NUMERIC_ID.test(id) ? id : null}::bigint AND project_countermeasure_id = ${found.identity}
    RETURNING id`.execute(em.getKysely());
  if (!rows.length) throw new NotFound();
  await recordActivity(em, actor, { subject: 'note', verb: 'Updated', ...aboutCountermeasure(project, found) });
}
