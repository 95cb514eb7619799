import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import { wakeRelay } from '../../kernel/lease/wake-relay.js';
import { awaitRule } from '../../kernel/lock.js';
import { now, tables } from '../../kernel/tables.js';
import { Project } from '../hierarchy/project.entity.js';
import { LibraryChange } from './library-change.entity.js';
import { serviceOf } from '../../kernel/operator.js';
import { asSubject } from '../project-access/find-project.js';
import { findLocatedProjects } from '../hierarchy/located-projects.js';
import { REFRESH_RULE, refreshProjects } from './refresh-project.js';

/** The delay before the content of a project is calculated again after a failure. */
const RETRY_DELAY_SECONDS = 60;

/** Projects `p` that no lock keeps from following the library. The others stay due until they are unlocked. */
export const isUnlockedProject = sql<boolean>`(NOT p.content_refresh_locked AND NOT p.locked AND NOT p.archived)`;

/** Projects `p` that need a refresh now. */
export const isDueProject = sql<boolean>`(p.refresh_due_at <= now() AND ${isUnlockedProject})`;

/** Projects `p` that need a refresh, now or when a failed one is retried. */
export const isPendingProject = sql<boolean>`(p.refresh_due_at IS NOT NULL AND ${isUnlockedProject})`;

/** Projects `p` that need a refresh, and are kept from it by a lock. */
export const isHeldBackProject = sql<boolean>`(p.refresh_due_at IS NOT NULL AND NOT ${isUnlockedProject})`;

/**
 * Marks all projects of an organization as due if its library has changed. Waits for refreshes that may have read the
 * old library: row locks cover existing projects, and the shared rule lock covers new ones.
 */
export async function propagateLibraryChanges(em: EntityManager, organizationId: number): Promise<void> {
  const database = tables(em, LibraryChange, Project);
  const { numDeletedRows } = await database
    .deleteFrom('library_change')
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  if (!numDeletedRows) return;
  await awaitRule(em, REFRESH_RULE, organizationId);
  await database
    .updateTable('project')
    .set({ refresh_due_at: now })
    .where('organization_id', '=', organizationId)
    .execute();
}

/** Schedules a refresh of all projects of an organization, as after a change of its library. */
export async function recordLibraryChange(em: EntityManager, organizationId: number): Promise<void> {
  await sql`SELECT note_library_change(ARRAY[${organizationId}::bigint])`.execute(em.getKysely());
}

const inSeconds = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`;

const setDue = (em: EntityManager, projectId: number, at: typeof now) =>
  tables(em, Project).updateTable('project').set({ refresh_due_at: at }).where('id', '=', projectId).execute();

/** Schedules a refresh of one project; if it is locked, it is refreshed once it is unlocked. */
export async function scheduleProjectRefresh(em: EntityManager, projectId: number): Promise<void> {
  await setDue(em, projectId, now);
  await wakeRelay(em);
}

/** Locks due projects of an organization that no other worker has locked, those due for longest first. */
async function lockDueProjects(em: EntityManager, organizationId: number, limit: number): Promise<number[]> {
  const projects = await tables(em, Project)
    .selectFrom('project as p')
    .select('p.id')
    .where('p.organization_id', '=', organizationId)
    .where(isDueProject)
    .orderBy('p.refresh_due_at')
    .orderBy('p.id')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
  return projects.map(({ id }) => id);
}

/**
 * Refreshes up to `limit` due projects, and records activities for those that changed. Returns how many it refreshed.
 */
export async function refreshDueProjects(em: EntityManager, organizationId: number, limit: number): Promise<number> {
  const projects = await lockDueProjects(em, organizationId, limit);
  const changed = await refreshProjects(em, null, projects);
  const located = [...(await findLocatedProjects(em, changed)).values()];
  const noAnswers = { added: [], removed: [] };
  await recordActivity(
    em,
    serviceOf(organizationId),
    ...located.map((project) => ({
      ...asSubject(project),
      subject: 'project_content' as const,
      verb: 'Recalculated' as const,
      details: { answers: noAnswers, answers_desc: noAnswers },
    })),
  );
  return projects.length;
}

/**
 * Postpones the project that has been due for longest, so that one that fails does not block the others. Returns its
 * internal id.
 */
export async function postponeFirstProject(em: EntityManager, organizationId: number): Promise<number | undefined> {
  const [project] = await lockDueProjects(em, organizationId, 1);
  if (project !== undefined) await setDue(em, project, inSeconds(RETRY_DELAY_SECONDS));
  return project;
}
