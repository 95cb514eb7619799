import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';
import { authorOf } from '../../kernel/operator.js';
import { clockTime, oneOf, tables } from '../../kernel/tables.js';
import { assertCapability, type FoundProject, projectToChange } from '../project-access/find-project.js';
import { refreshCompliance } from '../risk-policy/risk-policy-compliance.js';
import { ErrorCollector, type FieldErrors, missingMessages } from '../../kernel/domain-errors.js';
import { findCountermeasure, type FoundCountermeasure, countermeasureActivity } from './find-countermeasure.js';
import { ProjectCountermeasure } from './project-countermeasure.entity.js';
import type { ProjectCountermeasureChanges } from './project-countermeasure.fields.js';
import { ProjectCountermeasureAssignee } from './project-countermeasure-part.entity.js';
import { insertNotes } from './note.commands.js';
import { type Assignee, resolveAssignees, resolvePhase, resolveStatus } from './references.js';
import { userItemId } from '../../kernel/item-id.js';

/** The changes that apply: the content of library countermeasures is read-only here. */
function editableChanges(
  { fromLibrary }: FoundCountermeasure,
  changes: ProjectCountermeasureChanges,
): ProjectCountermeasureChanges {
  if (!fromLibrary) return changes;
  const { title: _title, text: _text, phase: _phase, priority: _priority, ...others } = changes;
  return others;
}

/** How the assignees of countermeasures changed, by internal id. */
interface Assignments {
  readonly added: ReadonlyMap<number, readonly Assignee[]>;
  /** The countermeasures that lost some. */
  readonly removed: ReadonlySet<number>;
}

/** Replaces the assignees of countermeasures. */
async function replaceAssignees(
  em: EntityManager,
  identities: readonly number[],
  users: readonly Assignee[],
): Promise<Assignments> {
  const ids = users.map(({ id }) => id);
  const removed = await tables(em, ProjectCountermeasureAssignee)
    .deleteFrom('project_countermeasure_assignee')
    .where('project_countermeasure_id', '=', oneOf(identities))
    .where('user_id', '<>', sql<number>`ALL(${ids})`)
    .returning('project_countermeasure_id as identity')
    .execute();
  const { rows } = await sql<{ identity: number; user_id: number }>`
    INSERT INTO project_countermeasure_assignee (project_countermeasure_id, user_id)
    SELECT identity, user_id FROM unnest(${identities}::bigint[]) identity, unnest(${ids}::bigint[]) user_id
    ON CONFLICT DO NOTHING RETURNING project_countermeasure_id AS identity, user_id`.execute(em.getKysely());
  const added = Map.groupBy(rows, ({ identity }) => identity);
  return {
    added: new Map(
      Array.from(added, ([identity, assigned]) => {
        const assignedIds = new Set(assigned.map(({ user_id: id }) => id));
        return [identity, users.filter(({ id }) => assignedIds.has(id))] as const;
      }),
    ),
    removed: new Set(removed.map(({ identity }) => identity)),
  };
}

/** Resolves all references in the changes. Throws `Invalid` with all that do not exist. */
async function resolveReferences(
  em: EntityManager,
  actor: Actor,
  changes: ProjectCountermeasureChanges,
  countermeasures: readonly FoundCountermeasure[],
) {
  const { status, assigned_to: users, phase } = changes;
  const identities = countermeasures.map(({ identity }) => identity);
  const errors = new ErrorCollector();
  const next = status === undefined ? undefined : await errors.collect(resolveStatus(em, status));
  const emails = users?.map(({ email }) => email);
  const assignees = emails && (await errors.collect(resolveAssignees(em, actor, emails, identities)));
  const phaseId = phase === undefined ? undefined : await errors.collect(resolvePhase(em, actor, phase));
  errors.throwIfAny();
  return { next, assignees, phaseId };
}

const assignmentActivity = (activity: ActivityInput, { id, name }: Assignee): ActivityInput => ({
  ...activity,
  also: { ...activity.also, user: { id: userItemId(id), description: name } },
});

/** A countermeasure after its change, and what changed. */
interface ChangedCountermeasure {
  readonly countermeasure: FoundCountermeasure;
  readonly marked: boolean;
  readonly assigned: readonly Assignee[];
  readonly updated: boolean;
}

const hasChanged = ({ marked, assigned, updated }: ChangedCountermeasure): boolean =>
  marked || updated || assigned.length > 0;

const activitiesOf = (
  project: FoundProject,
  { countermeasure, marked, assigned, updated }: ChangedCountermeasure,
): ActivityInput[] => [
  ...(marked ? [countermeasureActivity('Marked', project, countermeasure)] : []),
  ...assigned.map((user) =>
    assignmentActivity(countermeasureActivity('AssignedUserTo', project, countermeasure), user),
  ),
  ...(updated ? [countermeasureActivity('Updated', project, countermeasure)] : []),
];

/** What became of countermeasures that were to be changed. */
export interface ChangeResult {
  /** The number of those that changed. */
  readonly changed: number;
  /** The errors of those that were left as they are, by internal id. */
  readonly rejected: ReadonlyMap<number, FieldErrors>;
}

/**
 * Changes countermeasures of a project alike, in the same number of statements for any number of them. The caller has
 * checked that the actor may change their status. Throws `Forbidden`, and `Invalid` if no countermeasure can be changed
 * like this.
 */
export async function changeCountermeasures(
  em: EntityManager,
  actor: Actor,
  project: FoundProject,
  countermeasures: readonly FoundCountermeasure[],
  { status, status_note: note, ...fieldChanges }: ProjectCountermeasureChanges,
): Promise<ChangeResult> {
  if (Object.keys(fieldChanges).length) assertCapability(project, 'tasks');
  const requestedChanges = { ...fieldChanges, ...(status !== undefined && { status }) };
  const { next, assignees, phaseId } = await resolveReferences(em, actor, requestedChanges, countermeasures);
  const accepted = countermeasures.filter(({ identity }) => !assignees?.rejected.has(identity));
  const identities = accepted.map(({ identity }) => identity);
  const assignments = assignees && (await replaceAssignees(em, identities, assignees.users));
  const { tags, assigned_to: _users, phase: _phase, ...columnChanges } = fieldChanges;
  const columns = {
    ...columnChanges,
    ...(tags && { tags: cleanTexts(tags) }),
    ...(phaseId !== undefined && { phase_id: phaseId }),
  };
  const columnsChange = Object.keys(columns).length > 0;
  const results = accepted.map((countermeasure): ChangedCountermeasure => ({
    countermeasure: {
      ...countermeasure,
      title: columnChanges.title ?? countermeasure.title,
      status: next ?? countermeasure.status,
    },
    marked: next !== undefined && next.id !== countermeasure.status.id,
    assigned: assignments?.added.get(countermeasure.identity) ?? [],
    updated: columnsChange || assignments?.removed.has(countermeasure.identity) === true,
  }));
  const changed = results.filter(hasChanged);
  if (changed.length)
    await tables(em, ProjectCountermeasure)
      .updateTable('project_countermeasure')
      .set((row) => ({
        ...columns,
        ...(next && {
          status_id: next.id,
          status_updated_at: row
            .case()
            .when('status_id', '<>', next.id)
            .then(clockTime)
            .else(row.ref('status_updated_at'))
            .end(),
        }),
        updated_at: clockTime,
        updated_by: authorOf(actor),
      }))
      .where('id', '=', oneOf(changed.map(({ countermeasure }) => countermeasure.identity)))
      .execute();
  if (changed.some(({ marked }) => marked || columnsChange)) await refreshCompliance(em, actor, [project.id]);
  await recordActivity(em, actor, ...changed.flatMap((result) => activitiesOf(project, result)));
  const hasNote = note !== undefined && note.trim() !== '';
  if (hasNote && accepted.length)
    await insertNotes(
      em,
      actor,
      project,
      results.map(({ countermeasure }) => countermeasure),
      note,
    );
  return {
    changed: hasNote ? accepted.length : changed.length,
    rejected: new Map(
      Array.from(assignees?.rejected ?? [], ([identity, emails]) => [
        identity,
        { assigned_to: emails.flatMap(missingMessages) },
      ]),
    ),
  };
}

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
  await changeCountermeasures(em, actor, project, [countermeasure], editableChanges(countermeasure, changes));
}
