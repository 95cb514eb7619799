import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';
import { wakeRelay } from '../../kernel/lease/wake-relay.js';
import { authorOf } from '../../kernel/operator.js';
import { refreshCompliance } from '../risk-policy/risk-policy-compliance.js';
import { initializeSurvey } from '../project-survey/project-survey.commands.js';
import { asSubject, type FoundProject, type LocatedProject, projectToChange } from '../project-access/find-project.js';
import { defaultMembers, defaultProfile } from './new-project.js';
import { replaceProjectMembers } from './project-members.commands.js';
import type { Member } from './project-members.js';
import { resolveProjectReferences } from './project-references.js';
import { Project } from '../hierarchy/project.entity.js';
import { assertFreeName, type Siblings, uniqueSlug } from './siblings.js';
import type { ProjectInput } from './project.fields.js';

const siblings = (applicationId: number): Siblings => ({
  table: 'project',
  parent: 'application_id',
  parentId: applicationId,
});

/** The fields of a project that contain no references, as far as the input has them. */
const plainFields = (input: Partial<ProjectInput>) => ({
  ...(input.name !== undefined && { name: input.name }),
  ...(input.description !== undefined && { description: input.description }),
  ...(input.tags && { tags: cleanTexts(input.tags) }),
  ...(input.custom_attributes && { customAttributes: input.custom_attributes }),
  ...(input.archived !== undefined && { archived: input.archived }),
  ...(input.locked !== undefined && { locked: input.locked }),
  ...(input.content_refresh_locked !== undefined && { contentRefreshLocked: input.content_refresh_locked }),
});

/** Creates a project; returns its public id. Its creator is a lead. Throws `Invalid`. */
export async function createProject(em: EntityManager, actor: Actor, input: ProjectInput): Promise<string> {
  const { location, users, groups, ...references } = await resolveProjectReferences(em, actor, input);
  if (!location) throw new Error('The project has no application.');
  const { application, businessUnit } = location;
  await assertFreeName(em, siblings(application.id), input.name);
  const origin = {
    profileId: references.profileId === undefined ? await defaultProfile(em, actor) : references.profileId,
    baseProjectId: references.baseProjectId ?? null,
  };
  const project = em.create(Project, {
    description: '',
    tags: [],
    customAttributes: {},
    archived: false,
    locked: false,
    contentRefreshLocked: false,
    ...plainFields(input),
    ...origin,
    name: input.name,
    organizationId: actor.organizationId,
    applicationId: application.id,
    slug: await uniqueSlug(em, siblings(application.id), input.name),
    parentId: references.parentId ?? null,
    riskPolicyId: references.riskPolicyId ?? null,
    creatorId: authorOf(actor),
  });
  await em.flush();
  const located: LocatedProject = { id: project.id, name: project.name, application, businessUnit };
  await recordActivity(em, actor, { subject: 'project', verb: 'Created', ...asSubject(located) });
  const defaults = await defaultMembers(em, businessUnit.id);
  await replaceProjectMembers(em, actor, located, 'user', withDefaultMembers(users, defaults, 'user'));
  await replaceProjectMembers(em, actor, located, 'group', withDefaultMembers(groups, defaults, 'group'));
  await initializeSurvey(em, actor, project.id, origin);
  return String(project.id);
}

/** The listed members, and the default members of the business unit that are not listed. */
function withDefaultMembers(
  members: readonly Member[] = [],
  defaults: readonly Member[],
  kind: Member['kind'],
): Member[] {
  const ids = new Set(members.map(({ id }) => id));
  return [...members, ...defaults.filter((member) => member.kind === kind && !ids.has(member.id))];
}

/** The activities of an update, except for those about members. Archiving and locking have their own activities. */
function activitiesOfUpdate(
  project: LocatedProject,
  changes: Partial<ProjectInput>,
  previous: Pick<FoundProject, 'archived' | 'locked'>,
): ActivityInput[] {
  const { archived, locked, users: _users, groups: _groups, ...others } = changes;
  const archivedChanges = archived !== undefined && archived !== previous.archived;
  const lockedChanges = locked !== undefined && locked !== previous.locked;
  const hasOtherChanges =
    Object.keys(others).length > 0 ||
    (archived !== undefined && !archivedChanges) ||
    (locked !== undefined && !lockedChanges);
  const activityInputs: ActivityInput[] = [];
  if (hasOtherChanges) activityInputs.push({ subject: 'project', verb: 'Updated', ...asSubject(project) });
  if (archivedChanges)
    activityInputs.push({ subject: 'project', verb: archived ? 'Archived' : 'Unarchived', ...asSubject(project) });
  if (lockedChanges)
    activityInputs.push({ subject: 'project', verb: locked ? 'Locked' : 'Unlocked', ...asSubject(project) });
  return activityInputs;
}

/**
 * Changes a project, and moves it if its application changes. Its slug is kept, as URLs contain it, unless it is not
 * unique in the new application. Throws `NotFound`, `Forbidden`, `Invalid`.
 */
export async function updateProject(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<ProjectInput>,
): Promise<void> {
  const existing = await projectToChange(em, actor, id, 'project');
  if (!Object.keys(changes).length) return;
  const { location, users, groups, ...references } = await resolveProjectReferences(em, actor, changes, existing.id);
  const { application, businessUnit } = location ?? existing;
  const name = changes.name ?? existing.name;
  const isMoved = application.id !== existing.application.id;
  if (isMoved || changes.name !== undefined) await assertFreeName(em, siblings(application.id), name, existing.id);
  const project = await em.findOneOrFail(Project, { id: existing.id });
  em.assign(project, {
    ...plainFields(changes),
    ...(isMoved && { applicationId: application.id, slug: await uniqueSlug(em, siblings(application.id), name) }),
    ...(references.profileId !== undefined && { profileId: references.profileId }),
    ...(references.parentId !== undefined && { parentId: references.parentId }),
    ...(references.baseProjectId !== undefined && { baseProjectId: references.baseProjectId }),
    ...(references.riskPolicyId !== undefined && { riskPolicyId: references.riskPolicyId }),
    updatedAt: raw('clock_timestamp()'),
  });
  await em.flush();
  const located: LocatedProject = { id: existing.id, name, application, businessUnit };
  await recordActivity(em, actor, ...activitiesOfUpdate(located, changes, existing));
  if (isMoved || references.riskPolicyId !== undefined) await refreshCompliance(em, actor, [existing.id]);
  // Unlocking or unarchiving a project makes pending refreshes due.
  if ([changes.archived, changes.locked, changes.content_refresh_locked].includes(false)) await wakeRelay(em);
  if (users) await replaceProjectMembers(em, actor, located, 'user', users);
  if (groups) await replaceProjectMembers(em, actor, located, 'group', groups);
}

/** Deletes a project, but not its sub-projects or copies. Throws `NotFound`, and `Forbidden` without the permission. */
export async function removeProject(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const project = await projectToChange(em, actor, id, 'delete');
  await em.nativeDelete(Project, { id: project.id });
  await recordActivity(em, actor, { subject: 'project', verb: 'Deleted', ...asSubject(project) });
}
