import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';
import { authorOf } from '../../kernel/operator.js';
import { assertCapability, type FoundProject, projectToChange } from '../project-access/find-project.js';
import { refreshCompliance } from '../risk-policy/risk-policy-compliance.js';
import { ErrorCollector } from '../../kernel/domain-errors.js';
import { findCountermeasure, type FoundCountermeasure, toCountermeasure } from './find-countermeasure.js';
import { insertNote } from './note.commands.js';
import { type Assignee, resolveAssignees, resolvePhase, resolveStatus } from './references.js';
import { userItemId } from '../../kernel/item-id.js';

/** Changes of a countermeasure of a project, as a client gives them. */
export interface ProjectCountermeasureChanges {
  /** By id, meaning or name. */
  readonly status?: string;
  /** Becomes a note. */
  readonly status_note?: string;
  readonly accepted?: boolean;
  readonly artifact_proxy?: string;
  /** E-mails of everyone who does it. */
  readonly assigned_to?: readonly string[];
  readonly tags?: readonly string[];
  /** Of one of the project's own alone. */
  readonly title?: string;
  readonly text?: string;
  readonly phase?: string;
  readonly priority?: number;
}

type Plan = Omit<ProjectCountermeasureChanges, 'status' | 'status_note'>;

/** What can be written besides the status: what comes from the library is read-only here. */
function planOf(found: FoundCountermeasure, changes: ProjectCountermeasureChanges): Plan {
  const { status: _status, status_note: _note, ...plan } = changes;
  if (!found.fromLibrary) return plan;
  const { title: _title, text: _text, phase: _phase, priority: _priority, ...others } = plan;
  return others;
}

/** Makes these users those who do it; answers the new ones, and whether any has gone. */
async function assign(em: EntityManager, identity: number, users: readonly Assignee[]) {
  const ids = users.map(({ id }) => id);
  const { rows: gone } = await sql`
    DELETE FROM project_countermeasure_assignee
    WHERE project_countermeasure_id = ${identity} AND user_id <> ALL(${ids}::bigint[]) RETURNING 1`.execute(
    em.getKysely(),
  );
  const { rows } = await sql<{ user_id: number }>`
    INSERT INTO project_countermeasure_assignee (project_countermeasure_id, user_id)
    SELECT ${identity}::bigint, unnest(${ids}::bigint[]) ON CONFLICT DO NOTHING RETURNING user_id`.execute(
    em.getKysely(),
  );
  const added = new Set(rows.map((row) => row.user_id));
  return { added: users.filter(({ id }) => added.has(id)), someGone: gone.length > 0 };
}

/** Everything that the changes refer to. Throws `Invalid` with everything that does not exist. */
async function resolveReferences(
  em: EntityManager,
  actor: Actor,
  changes: ProjectCountermeasureChanges,
  { identity }: FoundCountermeasure,
) {
  const { status, assigned_to: emails, phase } = changes;
  const findings = new ErrorCollector();
  const next = status === undefined ? undefined : await findings.collect(resolveStatus(em, status));
  const users = emails && (await findings.collect(resolveAssignees(em, actor, emails, identity)));
  const phaseId = phase === undefined ? undefined : await findings.collect(resolvePhase(em, actor, phase));
  findings.throwIfAny();
  return { next, users, phaseId };
}

const assigned = (project: FoundProject, found: FoundCountermeasure, { id, name }: Assignee): ActivityInput => {
  const told = toCountermeasure('AssignedUserTo', project, found);
  return { ...told, also: { ...told.also, user: { id: userItemId(id), description: name } } };
};

/**
 * Changes a countermeasure of a project. Its status takes one capability, everything else another. Throws `NotFound`,
 * `Forbidden`, `Invalid`.
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
  const found = await findCountermeasure(em, actor.organizationId, project, id);
  const plan = planOf(found, changes);
  const { tags, assigned_to: _emails, phase: _phase, ...plain } = plan;
  if (Object.keys(plan).length) assertCapability(project, 'tasks');
  const wanted = { ...plan, ...(changes.status !== undefined && { status: changes.status }) };
  const { next, users, phaseId } = await resolveReferences(em, actor, wanted, found);
  const assignment = users && (await assign(em, found.identity, users));
  const status = next && next.id !== found.status.id ? next : undefined;
  const sets = [
    ...(status ? [sql`status_id = ${status.id}`, sql`status_updated_at = clock_timestamp()`] : []),
    ...(tags ? [sql`tags = ${cleanTexts(tags)}::text[]`] : []),
    ...(phaseId === undefined ? [] : [sql`phase_id = ${phaseId}`]),
    ...Object.entries(plain).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
  ];
  const updated = sets.length > (status ? 2 : 0) || assignment?.someGone === true;
  if (sets.length || assignment?.added.length || assignment?.someGone)
    await sql`
      UPDATE project_countermeasure
      SET ${sql.join([...sets, sql`updated_at = clock_timestamp()`, sql`updated_by = ${authorOf(actor)}`])}
      WHERE id = ${found.identity}`.execute(em.getKysely());
  if (sets.length) await refreshCompliance(em, actor.organizationId, [project.id]);
  const changed = { ...found, title: plain.title ?? found.title, status: status ?? found.status };
  await recordActivity(
    em,
    actor,
    ...(status ? [toCountermeasure('Marked', project, changed)] : []),
    ...(assignment?.added ?? []).map((user) => assigned(project, changed, user)),
    ...(updated ? [toCountermeasure('Updated', project, changed)] : []),
  );
  if (changes.status_note?.trim()) await insertNote(em, actor, project, changed, changes.status_note);
}
