import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Verb } from '../../activity/activities.js';
import type { RemovedGroup } from '../../access/events/access.events.js';
import { Group } from '../../access/group/group.entity.js';
import { User } from '../../access/user/user.entity.js';
import { type Actor, fullName } from '../../kernel/actor.js';
import { userItemId } from '../../kernel/item-id.js';
import { clockTime, oneOf, tables } from '../../kernel/tables.js';
import { asSubject, type LocatedProject } from '../project-access/find-project.js';
import { findLocatedProjects } from '../hierarchy/located-projects.js';
import { ProjectMember } from '../project-access/member.entity.js';
import { Project } from '../hierarchy/project.entity.js';
import type { Member } from './project-members.js';

type Change = 'added' | 'changed' | 'removed';

const VERBS: Readonly<Record<Member['kind'], Readonly<Record<Change, Verb>>>> = {
  user: { added: 'AddedUserTo', changed: 'ChangedUserRoleIn', removed: 'RemovedUserFrom' },
  group: { added: 'AddedGroupTo', changed: 'ChangedGroupRoleIn', removed: 'RemovedGroupFrom' },
};

async function currentMembers(em: EntityManager, project: LocatedProject, kind: Member['kind']): Promise<Member[]> {
  const members = tables(em, ProjectMember, User, Group)
    .selectFrom('project_member as m')
    .select('m.role')
    .where('m.project_id', '=', project.id);
  if (kind === 'group') {
    const groups = await members
      .innerJoin('user_group as g', 'g.id', 'm.group_id')
      .select(['g.id', 'g.item_id as itemId', 'g.name'])
      .orderBy('g.id')
      .execute();
    return groups.map((group) => ({ kind, ...group }));
  }
  const users = await members
    .innerJoin('user_account as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.first_name', 'u.last_name'])
    .orderBy('u.id')
    .execute();
  return users.map(({ id, role, first_name: firstName, last_name: lastName }) => ({
    kind,
    id,
    itemId: userItemId(id),
    name: fullName(firstName, lastName),
    role,
  }));
}

/** The activity about a member of a project. */
export function memberActivity(
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
    INSERT INTO project_member (project_id, ${sql.ref(column)}, role, identity_provider_id)
    SELECT ${project.id}, * FROM unnest(
      ${toInsert.map(({ id }) => id)}::bigint[], ${toInsert.map(({ role }) => role)}::text[],
      ${toInsert.map(({ providerId }) => providerId ?? null)}::bigint[])`.execute(em.getKysely());
  const activitiesOf = (change: Change) => (member: Member) => memberActivity(change, member, project);
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
    memberActivity('removed', { kind: 'group', ...group }, project),
  );
  await recordActivity(em, actor, ...activities);
}
