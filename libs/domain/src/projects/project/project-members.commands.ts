import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Verb } from '../../activity/activities.js';
import type { RemovedGroup } from '../../access/group/group.events.js';
import type { Actor } from '../../kernel/actor.js';
import { clockTime, oneOf, tables } from '../../kernel/tables.js';
import { asSubject, type LocatedProject } from '../project-access/find-project.js';
import { findLocatedProjects } from '../project-access/located-projects.js';
import { ProjectMember } from '../project-access/member.entity.js';
import { Project } from '../project-access/project.entity.js';
import type { Member } from './project-members.js';
import type { ProjectRole } from '../project-access/project-roles.js';

type Change = 'added' | 'changed' | 'removed';

const VERBS: Readonly<Record<Member['kind'], Readonly<Record<Change, Verb>>>> = {
  user: { added: 'AddedUserTo', changed: 'ChangedUserRoleIn', removed: 'RemovedUserFrom' },
  group: { added: 'AddedGroupTo', changed: 'ChangedGroupRoleIn', removed: 'RemovedGroupFrom' },
};

/** The tables of users and of groups, with the alias `who`. */
const MEMBER_TABLES: Readonly<Record<Member['kind'], Sql>> = {
  user: sql`user_account who`,
  group: sql`user_group who`,
};
const MEMBER_COLUMNS: Readonly<Record<Member['kind'], { itemId: Sql; name: Sql }>> = {
  user: { itemId: sql`'U' || who.id`, name: sql`btrim(who.first_name || ' ' || who.last_name)` },
  group: { itemId: sql`who.item_id`, name: sql`who.name` },
};

async function currentMembers(em: EntityManager, project: LocatedProject, kind: Member['kind']): Promise<Member[]> {
  const { rows } = await sql<{ id: number; item_id: string; name: string; role: ProjectRole }>`
    SELECT who.id, ${MEMBER_COLUMNS[kind].itemId} AS item_id, ${MEMBER_COLUMNS[kind].name} AS name, m.role
    FROM project_member m JOIN ${MEMBER_TABLES[kind]} ON who.id = ${sql.ref(`m.${kind}_id`)}
    WHERE m.project_id = ${project.id} ORDER BY who.id`.execute(em.getKysely());
  return rows.map(({ id, item_id: itemId, name, role }) => ({ kind, id, itemId, name, role }));
}

function activityInput(
  change: Change,
  { kind, itemId, name }: Pick<Member, 'kind' | 'itemId' | 'name'>,
  project: LocatedProject,
): ActivityInput {
  const subject = asSubject(project);
  const also = { ...subject.also, [kind]: { id: itemId, description: name } };
  return { ...subject, subject: 'project_member', verb: VERBS[kind][change], also };
}

/** Replaces the users or the groups that are members of a project, which the caller has locked. */
export async function replaceProjectMembers(
  em: EntityManager,
  actor: Actor,
  project: LocatedProject,
  kind: Member['kind'],
  members: readonly Member[],
): Promise<void> {
  const current = new Map((await currentMembers(em, project, kind)).map((member) => [member.id, member]));
  const memberIds = new Set(members.map(({ id }) => id));
  const added = members.filter(({ id }) => !current.has(id));
  const changed = members.filter(({ id, role }) => current.has(id) && current.get(id)?.role !== role);
  const removed = [...current.values()].filter(({ id }) => !memberIds.has(id));
  const idsToDelete = [...removed, ...changed].map(({ id }) => id);
  const toInsert = [...added, ...changed];
  const column = `${kind}_id` as const;
  await tables(em, ProjectMember)
    .deleteFrom('project_member')
    .where('project_id', '=', project.id)
    .where(column, '=', oneOf(idsToDelete))
    .execute();
  await sql`
    INSERT INTO project_member (project_id, ${sql.ref(column)}, role) SELECT ${project.id}, * FROM unnest(
      ${toInsert.map(({ id }) => id)}::bigint[], ${toInsert.map(({ role }) => role)}::text[])`.execute(em.getKysely());
  const activitiesOf = (change: Change) => (member: Member) => activityInput(change, member, project);
  await recordActivity(
    em,
    actor,
    ...added.map(activitiesOf('added')),
    ...changed.map(activitiesOf('changed')),
    ...removed.map(activitiesOf('removed')),
  );
}

/** Removes a group that is about to be deleted, and is locked, from the projects that it is a member of. */
export async function removeGroupFromProjects(em: EntityManager, actor: Actor, group: RemovedGroup): Promise<void> {
  const changed = await tables(em, Project, ProjectMember)
    .with('deleted', (database) =>
      database.deleteFrom('project_member').where('group_id', '=', group.id).returning('project_id'),
    )
    .updateTable('project')
    .set({ updated_at: clockTime })
    .where('id', 'in', (query) => query.selectFrom('deleted').select('project_id'))
    .returning('id')
    .execute();
  const projects = await findLocatedProjects(
    em,
    changed.map(({ id }) => id),
  );
  const activities = [...projects.values()].map((project) =>
    activityInput('removed', { kind: 'group', ...group }, project),
  );
  await recordActivity(em, actor, ...activities);
}
