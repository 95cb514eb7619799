import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';
import { wakeRelay } from '../../kernel/wake-relay.js';
import { authorOf } from '../../kernel/operator.js';
import { refreshCompliance } from '../risk-policy/risk-policy-compliance.js';
import { beginSurvey } from '../project-survey/project-survey.commands.js';
import { asSubject, type LocatedProject, projectToChange } from '../project-access/find-project.js';
import { defaultMembers, defaultProfile } from './new-project.js';
import { replaceProjectMembers } from './project-members.commands.js';
import type { Member } from './project-members.js';
import { resolveProjectReferences } from './project-references.js';
import { Project } from '../project-access/project.entity.js';
import { assertFreeName, type Siblings, slugAmong } from './siblings.js';
import type { ProjectInput } from './project.fields.js';

const siblings = (applicationId: number): Siblings => ({
  table: 'project',
  parent: 'application_id',
  parentId: applicationId,
});

/** The fields of a project that need no looking up, as far as the input has them. */
const plainFields = (input: Partial<ProjectInput>) => ({
  ...(input.name !== undefined && { name: input.name }),
  ...(input.description !== undefined && { description: input.description }),
  ...(input.tags && { tags: cleanTexts(input.tags) }),
  ...(input.custom_attributes && { customAttributes: input.custom_attributes }),
  ...(input.archived !== undefined && { archived: input.archived }),
  ...(input.locked !== undefined && { locked: input.locked }),
  ...(input.content_refresh_locked !== undefined && { contentRefreshLocked: input.content_refresh_locked }),
});

/** Makes a project; returns its public id. Its maker is its lead. Throws `Invalid`. */
export async function createProject(em: EntityManager, actor: Actor, input: ProjectInput): Promise<string> {
  const { place, users, groups, ...references } = await resolveProjectReferences(em, actor, input);
  if (!place) throw new Error('A project has an application.');
  const { application, businessUnit } = place;
  await assertFreeName(em, siblings(application.id), input.name);
  const began = {
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
    ...began,
    name: input.name,
    organizationId: actor.organizationId,
    applicationId: application.id,
    slug: await slugAmong(em, siblings(application.id), input.name),
    parentId: references.parentId ?? null,
    riskPolicyId: references.riskPolicyId ?? null,
    creatorId: authorOf(actor),
  });
  await em.flush();
  const placed: LocatedProject = { id: project.id, name: project.name, application, businessUnit };
  await recordActivity(em, actor, { subject: 'project', verb: 'Created', ...asSubject(placed) });
  const byDefault = await defaultMembers(em, businessUnit.id);
  await replaceProjectMembers(em, actor, placed, 'user', named(users, byDefault, 'user'));
  await replaceProjectMembers(em, actor, placed, 'group', named(groups, byDefault, 'group'));
  await beginSurvey(em, actor, project.id, began);
  return String(project.id);
}

/** The members that were named, and those that the unit gives and that were not named with another role. */
function named(members: readonly Member[] = [], byDefault: readonly Member[], kind: Member['kind']): Member[] {
  const ids = new Set(members.map(({ id }) => id));
  return [...members, ...byDefault.filter((member) => member.kind === kind && !ids.has(member.id))];
}

/** The activities of a PATCH: archiving has its own, and each changed member has one. */
function activitiesOfUpdate(
  project: LocatedProject,
  changes: Partial<ProjectInput>,
  wasArchived: boolean,
): ActivityInput[] {
  const { archived, users: _users, groups: _groups, ...others } = changes;
  const switched = archived !== undefined && archived !== wasArchived;
  const hasOtherChanges = Object.keys(others).length > 0 || (archived !== undefined && !switched);
  const activityInputs: ActivityInput[] = [];
  if (hasOtherChanges) activityInputs.push({ subject: 'project', verb: 'Updated', ...asSubject(project) });
  if (switched)
    activityInputs.push({ subject: 'project', verb: archived ? 'Archived' : 'Unarchived', ...asSubject(project) });
  return activityInputs;
}

/**
 * Changes a project, and moves it into another application. Its slug stays, since addresses hold it, but where another
 * one of its new application may have it. Throws `NotFound`, `Forbidden`, `Invalid`.
 */
export async function updateProject(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<ProjectInput>,
): Promise<void> {
  const found = await projectToChange(em, actor, id, 'project');
  if (!Object.keys(changes).length) return;
  const { place, users, groups, ...references } = await resolveProjectReferences(em, actor, changes, found.id);
  const { application, businessUnit } = place ?? found;
  const name = changes.name ?? found.name;
  const moves = application.id !== found.application.id;
  if (moves || changes.name !== undefined) await assertFreeName(em, siblings(application.id), name, found.id);
  const project = await em.findOneOrFail(Project, { id: found.id });
  em.assign(project, {
    ...plainFields(changes),
    ...(moves && { applicationId: application.id, slug: await slugAmong(em, siblings(application.id), name) }),
    ...(references.profileId !== undefined && { profileId: references.profileId }),
    ...(references.parentId !== undefined && { parentId: references.parentId }),
    ...(references.baseProjectId !== undefined && { baseProjectId: references.baseProjectId }),
    ...(references.riskPolicyId !== undefined && { riskPolicyId: references.riskPolicyId }),
    updatedAt: raw('clock_timestamp()'),
  });
  await em.flush();
  const placed: LocatedProject = { id: found.id, name, application, businessUnit };
  await recordActivity(em, actor, ...activitiesOfUpdate(placed, changes, found.archived));
  if (moves || references.riskPolicyId !== undefined) await refreshCompliance(em, actor.organizationId, [found.id]);
  // What was held back until now may be due.
  if ([changes.archived, changes.locked, changes.content_refresh_locked].includes(false)) await wakeRelay(em);
  if (users) await replaceProjectMembers(em, actor, placed, 'user', users);
  if (groups) await replaceProjectMembers(em, actor, placed, 'group', groups);
}

/**
 * Deletes a project with all that it holds; parts of it and projects that were begun from it stay. Throws `NotFound`,
 * and `Forbidden` without the permission for it.
 */
export async function removeProject(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const project = await projectToChange(em, actor, id, 'delete');
  await em.nativeDelete(Project, { id: project.id });
  await recordActivity(em, actor, { subject: 'project', verb: 'Deleted', ...asSubject(project) });
}
