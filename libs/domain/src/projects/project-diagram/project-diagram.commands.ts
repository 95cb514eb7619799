import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import {
  asSubject,
  assertInProject,
  type FoundProject,
  projectFromBody,
  projectToChange,
} from '../project-access/find-project.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { asJson, clockTime, tables } from '../../kernel/tables.js';
import { ProjectDiagram } from './project-diagram.entity.js';
import type { ProjectDiagramInput } from './project-diagram.fields.js';
import { numericId } from '../../kernel/row-to-change.js';

/** Like the survey, diagrams describe how a project is built, so they require the same capability. */
const CAPABILITY = 'survey';

/** A diagram is a part of its project, so its changes are recorded as changes of the project. */
const recordProjectUpdate = (em: EntityManager, actor: Actor, project: FoundProject): Promise<void> =>
  recordActivity(em, actor, { subject: 'project', verb: 'Updated', ...asSubject(project) });

/** Creates a diagram; returns its public id. Throws `Invalid`, `Forbidden`. */
export async function createProjectDiagram(
  em: EntityManager,
  actor: Actor,
  input: ProjectDiagramInput,
): Promise<string> {
  const project = await projectFromBody(em, actor, input.project, CAPABILITY);
  const { id } = await tables(em, ProjectDiagram)
    .insertInto('project_diagram')
    .values({ project_id: project.id, name: input.name, diagram_data: asJson(input.diagram_data) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordProjectUpdate(em, actor, project);
  return String(id);
}

/** Finds the id of a diagram's project. Throws `NotFound`. */
async function projectIdOf(em: EntityManager, id: string): Promise<string> {
  const diagram = await tables(em, ProjectDiagram)
    .selectFrom('project_diagram')
    .select('project_id')
    .where('id', '=', numericId(id))
    .executeTakeFirst();
  if (!diagram) throw new NotFound();
  return String(diagram.project_id);
}

/** Throws `NotFound` if there is no diagram, and `Forbidden` if the actor can see its project but not change it. */
export async function assertMayChangeDiagram(em: EntityManager, actor: Actor, id: string): Promise<void> {
  await assertInProject(em, actor, await projectIdOf(em, id), CAPABILITY);
}

/** Finds the project of a diagram and locks it. Throws `NotFound`, `Forbidden`. */
const projectOfDiagram = async (em: EntityManager, actor: Actor, id: string): Promise<FoundProject> =>
  projectToChange(em, actor, await projectIdOf(em, id), CAPABILITY);

/** Changes a diagram, but not its project. Throws `NotFound`, `Forbidden`. */
export async function updateProjectDiagram(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<Omit<ProjectDiagramInput, 'project'>>,
): Promise<void> {
  if (!Object.keys(changes).length) return assertMayChangeDiagram(em, actor, id);
  const project = await projectOfDiagram(em, actor, id);
  const { name, diagram_data: data } = changes;
  const { numUpdatedRows } = await tables(em, ProjectDiagram)
    .updateTable('project_diagram')
    .set({ name, ...(data !== undefined && { diagram_data: asJson(data) }), updated_at: clockTime })
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow();
  if (!numUpdatedRows) throw new NotFound();
  await recordProjectUpdate(em, actor, project);
}

/** Deletes a diagram. Throws `NotFound`, `Forbidden`. */
export async function removeProjectDiagram(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const project = await projectOfDiagram(em, actor, id);
  const { numDeletedRows } = await tables(em, ProjectDiagram)
    .deleteFrom('project_diagram')
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow();
  if (!numDeletedRows) throw new NotFound();
  await recordProjectUpdate(em, actor, project);
}
