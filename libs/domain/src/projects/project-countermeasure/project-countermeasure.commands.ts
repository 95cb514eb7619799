import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { authorOf } from '../../kernel/operator.js';
import { REQUIRED } from '../../kernel/fields/field-checks.js';
import { findIdentities } from '../../kernel/items/find-identities.js';
import { clockTime, tables } from '../../kernel/tables.js';
import { CountermeasureVersion } from '../../library/countermeasure/countermeasure.entity.js';
import { visible } from '../../library/customization/customization.sql.js';
import { type FoundProject, projectToChange } from '../project-access/find-project.js';
import { Project } from '../hierarchy/project.entity.js';
import { ProjectComponent } from '../project-component/project-component.entity.js';
import { refreshProjects } from '../project-content/refresh-project.js';
import { refreshCompliance } from '../risk-policy/risk-policy-compliance.js';
import { Forbidden, Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { findCountermeasure, countermeasureActivity } from './find-countermeasure.js';
import { ProjectCountermeasure } from './project-countermeasure.entity.js';
import { type NewProjectCountermeasure, type OwnFields, ownFields } from './project-countermeasure.fields.js';
import { resolvePhase } from './references.js';

const OWN_FIELDS = Object.keys(ownFields) as (keyof OwnFields)[];

/** The fields of a project-specific countermeasure, all of which are required. Throws `Invalid`. */
function assertOwnFields(input: NewProjectCountermeasure): OwnFields {
  const { title, text, phase, priority } = input;
  if (title !== undefined && text !== undefined && phase !== undefined && priority !== undefined)
    return { title, text, phase, priority };
  const missing = OWN_FIELDS.filter((name) => input[name] === undefined);
  throw new Invalid(Object.fromEntries(missing.map((name) => [name, [REQUIRED]])));
}

/** Refreshes a project after a change; if it is locked against library changes, only its compliance. */
async function refreshAfterChange(em: EntityManager, actor: Actor, project: FoundProject): Promise<void> {
  if (project.contentRefreshLocked) await refreshCompliance(em, actor, [project.id]);
  else await refreshProjects(em, actor, [project.id]);
}

/** Adds a countermeasure to a project; returns its public id. Throws `NotFound`, `Forbidden`, `Invalid`. */
export async function addProjectCountermeasure(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  input: NewProjectCountermeasure,
): Promise<string> {
  const project = await projectToChange(em, actor, projectId, 'tasks');
  const { task_id: taskId } = input;
  if (taskId === undefined) return createOwn(em, actor, project, assertOwnFields(input));
  if (OWN_FIELDS.some((field) => input[field] !== undefined))
    throw new Invalid({
      non_field_errors: [
        'Send either the "task_id" of a library countermeasure or the fields of a project-specific one, not both.',
      ],
    });
  return addFromLibrary(em, actor, project, taskId);
}

async function addFromLibrary(em: EntityManager, actor: Actor, project: FoundProject, taskId: string): Promise<string> {
  const identity = (await findIdentities(em, actor, 'countermeasure', [taskId], { hold: true })).get(taskId);
  if (identity === undefined) throw new Invalid({ task_id: missingMessages(taskId) });
  const version = await tables(em, CountermeasureVersion)
    .selectFrom('countermeasure_version as v')
    .select('v.active')
    .where('v.countermeasure_id', '=', identity)
    .where(visible('countermeasure', 'v', actor.organizationId))
    .executeTakeFirst();
  if (!version?.active) throw new Invalid({ task_id: [`"${taskId}" is not active.`] });
  const added = await tables(em, ProjectCountermeasure)
    .insertInto('project_countermeasure')
    .values({
      organization_id: actor.organizationId,
      project_id: project.id,
      countermeasure_id: identity,
      manually_added: true,
      became_relevant_at: clockTime,
      updated_by: authorOf(actor),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'countermeasure_id'])
        .doUpdateSet((row) => ({
          manually_added: true,
          relevant: true,
          accepted: true,
          became_relevant_at: row
            .case()
            .when('project_countermeasure.relevant', '=', true)
            .then(row.ref('project_countermeasure.became_relevant_at'))
            .else(clockTime)
            .end(),
          updated_at: clockTime,
          updated_by: authorOf(actor),
        }))
        .where('project_countermeasure.manually_added', '=', false),
    )
    .returning('id')
    .executeTakeFirst();
  if (!added) throw new Invalid({ task_id: [`"${taskId}" has already been added to this project.`] });
  const id = `${project.id}-${taskId}`;
  await refreshAfterChange(em, actor, project);
  // If a component implements it, the refresh may have marked it as complete.
  const countermeasure = await findCountermeasure(em, actor.organizationId, project, id);
  await recordActivity(em, actor, countermeasureActivity('Added', project, countermeasure));
  return id;
}

async function createOwn(em: EntityManager, actor: Actor, project: FoundProject, input: OwnFields): Promise<string> {
  const phaseId = await resolvePhase(em, actor, input.phase);
  const { number } = await tables(em, Project, ProjectCountermeasure)
    .with('next', (database) =>
      database
        .updateTable('project')
        .set((row) => ({ last_countermeasure_number: row('last_countermeasure_number', '+', 1) }))
        .where('id', '=', project.id)
        .returning('last_countermeasure_number as number'),
    )
    .insertInto('project_countermeasure')
    .values((query) => ({
      organization_id: actor.organizationId,
      project_id: project.id,
      number: query.selectFrom('next').select('number'),
      title: input.title,
      text: input.text,
      phase_id: phaseId,
      priority: input.priority,
      became_relevant_at: clockTime,
      updated_by: authorOf(actor),
    }))
    .returning('number')
    .executeTakeFirstOrThrow();
  const id = `${project.id}-PT${number}`;
  const countermeasure = await findCountermeasure(em, actor.organizationId, project, id);
  await recordActivity(em, actor, countermeasureActivity('Created', project, countermeasure));
  await refreshAfterChange(em, actor, project);
  return id;
}

/**
 * Deletes a project-specific countermeasure, or removes one that was added from the library; it stays if the project's
 * content includes it as well. Throws `NotFound`, and `Forbidden` for all others.
 */
export async function removeProjectCountermeasure(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'tasks');
  const countermeasure = await findCountermeasure(em, actor.organizationId, project, id);
  if (countermeasure.fromLibrary && !countermeasure.manuallyAdded)
    throw new Forbidden('The content of this project includes it. Set "accepted" to false to exclude it.');
  const database = tables(em, ProjectCountermeasure, ProjectComponent);
  if (countermeasure.relevantViaSurvey)
    await database
      .updateTable('project_countermeasure')
      .set({ manually_added: false, updated_at: clockTime, updated_by: authorOf(actor) })
      .where('id', '=', countermeasure.identity)
      .execute();
  else
    await database
      .with('deleted', (deleting) =>
        deleting
          .deleteFrom('project_countermeasure')
          .where('id', '=', countermeasure.identity)
          .returning(['project_id', 'countermeasure_id']),
      )
      .updateTable('project_component as pc')
      .from('deleted')
      // If it is added again, components have to mark it again.
      .set(({ fn }) => ({ tasks_marked: fn('array_remove', ['pc.tasks_marked', 'deleted.countermeasure_id']) }))
      .whereRef('pc.project_id', '=', 'deleted.project_id')
      .where((row) => row('deleted.countermeasure_id', '=', row.fn.any('pc.tasks_marked')))
      .execute();
  await recordActivity(em, actor, countermeasureActivity('Deleted', project, countermeasure));
  await refreshAfterChange(em, actor, project);
}
