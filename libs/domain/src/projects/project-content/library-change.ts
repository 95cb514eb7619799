import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import { wakeRelay } from '../../kernel/wake-relay.js';
import { awaitRule } from '../../kernel/lock.js';
import { now, tables } from '../../kernel/tables.js';
import { Organization } from '../../access/organization/organization.entity.js';
import { Project } from '../project-access/project.entity.js';
import { LibraryChange } from './library-change.entity.js';
import { serviceOf } from '../../kernel/operator.js';
import { asSubject } from '../project-access/find-project.js';
import { locateProjects } from '../project-access/located-projects.js';
import { refreshProjects } from './refresh-project.js';
import { REFRESH_RULE } from './refresh-rule.js';

/** How long a worker that says nothing keeps an organization. */
const LEASE_SECONDS = 8;

/** How long a project rests whose content could not be worked out. */
const REST_SECONDS = 60;

/** An organization whose projects are to follow its library, and when a worker was asked to see to it. */
export interface DueOrganization {
  readonly id: number;
  readonly taken: number;
}

const inSeconds = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`;

/** Projects `p` that are due, and that nothing holds back: those are due until they are let go. */
export const isDueProject = sql<boolean>`p.refresh_due_at <= now()
  AND NOT p.content_refresh_locked AND NOT p.locked AND NOT p.archived`;

/** Organizations with something to do; they are not due again while their lease lasts. Commit, then queue them. */
export async function takeDueOrganizations(em: EntityManager, limit: number): Promise<DueOrganization[]> {
  const { rows } = await sql<DueOrganization>`
    UPDATE organization SET refresh_lease_until = ${inSeconds(LEASE_SECONDS)}
    FROM (SELECT o.id FROM organization o
      WHERE (o.refresh_lease_until IS NULL OR o.refresh_lease_until < now())
        AND o.id IN (SELECT organization_id FROM library_change
          UNION SELECT p.organization_id FROM project p WHERE ${isDueProject})
      ORDER BY o.id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED) due
    WHERE organization.id = due.id
    RETURNING organization.id, extract(epoch FROM refresh_lease_until)::bigint AS taken`.execute(em.getKysely());
  return rows;
}

const setLease = (em: EntityManager, organizationId: number, until: ReturnType<typeof inSeconds> | null) =>
  tables(em, Organization)
    .updateTable('organization')
    .set({ refresh_lease_until: until })
    .where('id', '=', organizationId)
    .execute();

/** Keeps an organization for its worker. */
export async function renewRefresh(em: EntityManager, organizationId: number): Promise<void> {
  await setLease(em, organizationId, inSeconds(LEASE_SECONDS));
}

/** Gives an organization back: what is still to do, or comes new, is due at once. */
export async function releaseRefresh(em: EntityManager, organizationId: number): Promise<void> {
  await setLease(em, organizationId, null);
}

/**
 * Makes all projects of an organization due whose library has changed. Projects that are just being worked out, and may
 * have seen the library as it was, are waited for: those that exist by their rows, and those that are being made by the
 * rule that they share.
 */
export async function spreadLibraryChanges(em: EntityManager, organizationId: number): Promise<void> {
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

/** Lets a worker work out all projects of an organization, as after a change of its library. */
export async function noteLibraryChange(em: EntityManager, organizationId: number): Promise<void> {
  await sql`SELECT note_library_change(ARRAY[${organizationId}::bigint])`.execute(em.getKysely());
}

const setDue = (em: EntityManager, projectId: number, at: typeof now) =>
  tables(em, Project).updateTable('project').set({ refresh_due_at: at }).where('id', '=', projectId).execute();

/** Lets a worker work out one project; one that is held back, once it is let go. */
export async function makeProjectDue(em: EntityManager, projectId: number): Promise<void> {
  await setDue(em, projectId, now);
  await wakeRelay(em);
}

/** Some projects of an organization that are due and that no worker holds, the longest due first; locked. */
async function takeDueProjects(em: EntityManager, organizationId: number, limit: number): Promise<number[]> {
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
 * Works out up to `limit` projects that are due, and records activities for those where something changed. Returns how
 * many there were.
 */
export async function refreshDueProjects(em: EntityManager, organizationId: number, limit: number): Promise<number> {
  const projects = await takeDueProjects(em, organizationId, limit);
  const changed = await refreshProjects(em, null, projects);
  const placed = [...(await locateProjects(em, changed)).values()];
  const none = { added: [], removed: [] };
  await recordActivity(
    em,
    serviceOf(organizationId),
    ...placed.map((project) => ({
      ...asSubject(project),
      subject: 'project_content' as const,
      verb: 'Recalculated' as const,
      details: { answers: none, answers_desc: none },
    })),
  );
  return projects.length;
}

/** Postpones the project that has been due the longest, so that one that cannot be updated does not block others. */
export async function postponeFirstProject(em: EntityManager, organizationId: number): Promise<void> {
  const [project] = await takeDueProjects(em, organizationId, 1);
  if (project === undefined) return;
  await setDue(em, project, inSeconds(REST_SECONDS));
}
