import { REQUIRED } from '../../kernel/fields/field-checks.js';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { authorOf } from '../../kernel/operator.js';
import { findIdentities } from '../../kernel/find-identities.js';
import { tables } from '../../kernel/tables.js';
import { CountermeasureVersion } from '../../library/countermeasure/countermeasure.entity.js';
import { visible } from '../../library/customization/customization.sql.js';
import { type FoundProject, projectToChange } from '../project-access/find-project.js';
import { refreshProjects } from '../project-content/refresh-project.js';
import { refreshCompliance } from '../risk-policy/risk-policy-compliance.js';
import { type FieldErrors, Forbidden, Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { findCountermeasure, countermeasureActivity } from './find-countermeasure.js';
import { resolvePhase } from './references.js';

/** The input to add a countermeasure: the id of a library countermeasure, or the fields of a project-specific one. */
export interface NewProjectCountermeasure {
  readonly task_id?: string;
  readonly title?: string;
  readonly text?: string;
  readonly phase?: string;
  readonly priority?: number;
}

const OWN_FIELDS = ['title', 'text', 'phase', 'priority'] as const;

type OwnFields = Required<Pick<NewProjectCountermeasure, (typeof OWN_FIELDS)[number]>>;

/** The fields of a project-specific countermeasure, all of which are required. Throws `Invalid`. */
function assertOwnFields(input: NewProjectCountermeasure): OwnFields {
  const { title, text, phase, priority } = input;
  if (title !== undefined && text !== undefined && phase !== undefined && priority !== undefined)
    return { title, text, phase, priority };
  const errors: FieldErrors = {};
  for (const field of OWN_FIELDS) if (input[field] === undefined) errors[field] = [REQUIRED];
  throw new Invalid(errors);
}

/** Refreshes a project after a change; if it is locked against library changes, only its compliance. */
async function refreshAfterChange(em: EntityManager, actor: Actor, project: FoundProject): Promise<void> {
  if (project.contentRefreshLocked) await refreshCompliance(em, actor.organizationId, [project.id]);
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
        'Send "task_id" to add one of the library, or the fields of one of the project’s own: not both.',
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
  const { rows: added } = await sql`
    INSERT INTO project_countermeasure AS t
      (organization_id, project_id, countermeasure_id, manually_added, became_relevant_at, updated_by)
    VALUES (${actor.organizationId}, ${project.id}, ${identity}, true, clock_timestamp(), ${authorOf(actor)})
    ON CONFLICT (project_id, countermeasure_id) DO UPDATE SET manually_added = true, relevant = true, accepted = true,
      became_relevant_at = CASE WHEN t.relevant THEN t.became_relevant_at ELSE clock_timestamp() END,
      updated_at = clock_timestamp(), updated_by = ${authorOf(actor)}
    WHERE NOT t.manually_added RETURNING t.id`.execute(em.getKysely());
  if (!added.length) throw new Invalid({ task_id: [`"${taskId}" has been added to this project already.`] });
  const id = `${project.id}-${taskId}`;
  await refreshAfterChange(em, actor, project);
  // If a component implements it, the refresh may have marked it as complete.
  const countermeasure = await findCountermeasure(em, actor.organizationId, project, id);
  await recordActivity(em, actor, countermeasureActivity('Added', project, countermeasure));
  return id;
}

async function createOwn(em: EntityManager, actor: Actor, project: FoundProject, input: OwnFields): Promise<string> {
  const phaseId = await resolvePhase(em, actor, input.phase);
  const { rows } = await sql<{ number: number }>`
    WITH next AS (
      UPDATE project SET last_countermeasure_number = last_countermeasure_number + 1 WHERE id = ${project.id}
      RETURNING last_countermeasure_number AS number)
    INSERT INTO project_countermeasure
      (organization_id, project_id, number, title, text, phase_id, priority, became_relevant_at, updated_by)
    SELECT ${actor.organizationId}::bigint, ${project.id}::bigint, number, ${input.title}::text, ${input.text}::text,
      ${phaseId}::bigint, ${input.priority}::integer, clock_timestamp(), ${authorOf(actor)}::bigint
    FROM next RETURNING number`.execute(em.getKysely());
  const id = `${project.id}-PT${rows[0]?.number}`;
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
    throw new Forbidden('The content of this project brings it in. Set "accepted" to false to leave it out.');
  await (
    countermeasure.relevantViaSurvey
      ? sql`UPDATE project_countermeasure
        SET manually_added = false, updated_at = clock_timestamp(), updated_by = ${authorOf(actor)}
          WHERE id = ${countermeasure.identity}`
      : // If it is added again, components have to mark it again.
        sql`WITH deleted AS (
            DELETE FROM project_countermeasure WHERE id = ${countermeasure.identity} RETURNING project_id,
              countermeasure_id)
          UPDATE project_component pc SET tasks_marked = array_remove(pc.tasks_marked, deleted.countermeasure_id)
            FROM deleted
          WHERE pc.project_id = deleted.project_id AND deleted.countermeasure_id = ANY(pc.tasks_marked)`
  ).execute(em.getKysely());
  await recordActivity(em, actor, countermeasureActivity('Deleted', project, countermeasure));
  await refreshAfterChange(em, actor, project);
}
