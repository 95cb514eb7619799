import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import {
  asSubject,
  assertInProject,
  type FoundProject,
  projectNamed,
  projectToChange,
} from '../project-access/find-project.js';
import { NotFound } from '../../kernel/domain-errors.js';

/** A diagram as a client gives it, checked for shape. */
export interface ProjectDiagramInput {
  readonly project: number;
  readonly name: string;
  readonly diagram_data: unknown;
}

/** Diagrams say how a project is built, as its survey does: whoever may change that may change them. */
const CAPABILITY = 'survey';

/** A diagram is a part of its project, and told as a change of it. */
const tell = (em: EntityManager, actor: Actor, project: FoundProject): Promise<void> =>
  recordActivity(em, actor, { subject: 'project', verb: 'Updated', ...asSubject(project) });

/** Makes a diagram; returns its public id. Throws `Invalid`, `Forbidden`. */
export async function createProjectDiagram(
  em: EntityManager,
  actor: Actor,
  input: ProjectDiagramInput,
): Promise<string> {
  const project = await projectNamed(em, actor, input.project, CAPABILITY);
  const { rows } = await sql<{ id: string }>`
    INSERT INTO project_diagram (project_id, name, diagram_data)
    VALUES (${project.id}, ${input.name}, ${JSON.stringify(input.diagram_data)}::jsonb) RETURNING id`.execute(
    em.getKysely(),
  );
  await tell(em, actor, project);
  return String(rows[0]?.id);
}

/** The id of a diagram's project. Throws `NotFound`. */
async function projectIdOf(em: EntityManager, id: string): Promise<string> {
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  const { rows } = await sql<{ project_id: string }>`
    SELECT project_id FROM project_diagram WHERE id = ${id}::bigint`.execute(em.getKysely());
  if (!rows[0]) throw new NotFound();
  return rows[0].project_id;
}

/** Throws `Forbidden` where the actor sees the project of a diagram and may not change what is in it, `NotFound`. */
export async function assertDiagram(em: EntityManager, actor: Actor, id: string): Promise<void> {
  await assertInProject(em, actor, await projectIdOf(em, id), CAPABILITY);
}

/** The project of a diagram, locked for a change. Throws `NotFound`, `Forbidden`. */
const projectOfDiagram = async (em: EntityManager, actor: Actor, id: string): Promise<FoundProject> =>
  projectToChange(em, actor, await projectIdOf(em, id), CAPABILITY);

/** Changes a diagram; it stays with its project. Throws `NotFound`, `Forbidden`. */
export async function updateProjectDiagram(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<Omit<ProjectDiagramInput, 'project'>>,
): Promise<void> {
  if (!Object.keys(changes).length) return assertDiagram(em, actor, id);
  const project = await projectOfDiagram(em, actor, id);
  const data = changes.diagram_data === undefined ? null : JSON.stringify(changes.diagram_data);
  const { rows } = await sql`
    UPDATE project_diagram SET name = coalesce(${changes.name ?? null}, name),
      diagram_data = coalesce(${data}::jsonb, diagram_data), updated_at = clock_timestamp()
    WHERE id = ${id}::bigint RETURNING id`.execute(em.getKysely());
  if (!rows.length) throw new NotFound();
  await tell(em, actor, project);
}

/** Deletes a diagram. Throws `NotFound`, `Forbidden`. */
export async function removeProjectDiagram(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const project = await projectOfDiagram(em, actor, id);
  const { rows } = await sql`DELETE FROM project_diagram WHERE id = ${id}::bigint RETURNING id`.execute(em.getKysely());
  if (!rows.length) throw new NotFound();
  await tell(em, actor, project);
}
