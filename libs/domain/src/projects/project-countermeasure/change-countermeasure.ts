import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';
import { authorOf } from '../../kernel/operator.js';
import { clockTime, tables } from '../../kernel/tables.js';
import { assertCapability, projectToChange } from '../project-access/find-project.js';
import { refreshCompliance } from '../risk-policy/risk-policy-compliance.js';
import { ErrorCollector } from '../../kernel/domain-errors.js';
import { findCountermeasure, type FoundCountermeasure, countermeasureActivity } from './find-countermeasure.js';
import { ProjectCountermeasure } from './project-countermeasure.entity.js';
import { ProjectCountermeasureAssignee } from './project-countermeasure-part.entity.js';
import { insertNote } from './note.commands.js';
import { type Assignee, resolveAssignees, resolvePhase, resolveStatus } from './references.js';
import { userItemId } from '../../kernel/item-id.js';

/** Changes of a countermeasure of a project, as sent by a client. */
export interface ProjectCountermeasureChanges {
  /** The id, meaning or name of a status. */
  readonly status?: string;
  /** Added as a note. */
  readonly status_note?: string;
  readonly accepted?: boolean;
  readonly artifact_proxy?: string;
  /** The e-mail addresses of all assignees. */
  readonly assigned_to?: readonly string[];
  readonly tags?: readonly string[];
  /** Only for project-specific countermeasures. */
  readonly title?: string;
  readonly text?: string;
  readonly phase?: string;
  readonly priority?: number;
}

type FieldChanges = Omit<ProjectCountermeasureChanges, 'status' | 'status_note'>;

/** The changes besides the status that apply: the content of library countermeasures is read-only here. */
function editableChanges(countermeasure: FoundCountermeasure, changes: ProjectCountermeasureChanges): FieldChanges {
  const { status: _status, status_note: _note, ...fieldChanges } = changes;
  if (!countermeasure.fromLibrary) return fieldChanges;
  const { title: _title, text: _text, phase: _phase, priority: _priority, ...others } = fieldChanges;
  return others;
}

/** Replaces the assignees. Returns the new ones, and whether any were removed. */
async function replaceAssignees(em: EntityManager, identity: number, users: readonly Assignee[]) {
  const ids = users.map(({ id }) => id);
  const removed = await tables(em, ProjectCountermeasureAssignee)
    .deleteFrom('project_countermeasure_assignee')
    .where('project_countermeasure_id', '=', identity)
    .where('user_id', '<>', sql<number>`ALL(${ids})`)
    .returning('user_id')
    .execute();
  const { rows } = await sql<{ user_id: number }>`
    INSERT INTO project_countermeasure_assignee (project_countermeasure_id, user_id)
    SELECT ${identity}::bigint, unnest(${ids}::bigint[]) ON CONFLICT DO NOTHING RETURNING user_id`.execute(
    em.getKysely(),
  );
  const added = new Set(rows.map((row) => row.user_id));
  return { added: users.filter(({ id }) => added.has(id)), someRemoved: removed.length > 0 };
}

/** Resolves all references in the changes. Throws `Invalid` with all that do not exist. */
async function resolveReferences(
  em: EntityManager,
  actor: Actor,
  changes: ProjectCountermeasureChanges,
  { identity }: FoundCountermeasure,
) {
  const { status, assigned_to: emails, phase } = changes;
  const errors = new ErrorCollector();
  const next = status === undefined ? undefined : await errors.collect(resolveStatus(em, status));
  const users = emails && (await errors.collect(resolveAssignees(em, actor, emails, identity)));
  const phaseId = phase === undefined ? undefined : await errors.collect(resolvePhase(em, actor, phase));
  errors.throwIfAny();
  return { next, users, phaseId };
}

const assignmentActivity = (activity: ActivityInput, { id, name }: Assignee): ActivityInput => ({
  ...activity,
  also: { ...activity.also, user: { id: userItemId(id), description: name } },
});

/**
 * Changes a countermeasure of a project. Its status and its other fields require different capabilities. Throws
 * `NotFound`, `Forbidden`, `Invalid`.
 */
export async function updateProjectCountermeasure(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
  changes: ProjectCountermeasureChanges,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const project = await projectToChange(em, actor, projectId, 'status');
  const countermeasure = await findCountermeasure(em, actor.organizationId, project, id);
  const fieldChanges = editableChanges(countermeasure, changes);
  const { tags, assigned_to: _emails, phase: _phase, ...columnChanges } = fieldChanges;
  if (Object.keys(fieldChanges).length) assertCapability(project, 'tasks');
  const requestedChanges = { ...fieldChanges, ...(changes.status !== undefined && { status: changes.status }) };
  const { next, users, phaseId } = await resolveReferences(em, actor, requestedChanges, countermeasure);
  const assignment = users && (await replaceAssignees(em, countermeasure.identity, users));
  const status = next && next.id !== countermeasure.status.id ? next : undefined;
  const columns = {
    ...columnChanges,
    ...(tags && { tags: cleanTexts(tags) }),
    ...(phaseId !== undefined && { phase_id: phaseId }),
  };
  const columnsChange = Object.keys(columns).length > 0;
  const updated = columnsChange || assignment?.someRemoved === true;
  if (status || updated || assignment?.added.length)
    await tables(em, ProjectCountermeasure)
      .updateTable('project_countermeasure')
      .set({
        ...columns,
        ...(status && { status_id: status.id, status_updated_at: clockTime }),
        updated_at: clockTime,
        updated_by: authorOf(actor),
      })
      .where('id', '=', countermeasure.identity)
      .execute();
  if (status || columnsChange) await refreshCompliance(em, actor.organizationId, [project.id]);
  const changed = {
    ...countermeasure,
    title: columnChanges.title ?? countermeasure.title,
    status: status ?? countermeasure.status,
  };
  await recordActivity(
    em,
    actor,
    ...(status ? [countermeasureActivity('Marked', project, changed)] : []),
    ...(assignment?.added ?? []).map((user) =>
      assignmentActivity(countermeasureActivity('AssignedUserTo', project, changed), user),
    ),
    ...(updated ? [countermeasureActivity('Updated', project, changed)] : []),
  );
  if (changes.status_note?.trim()) await insertNote(em, actor, project, changed, changes.status_note);
}
