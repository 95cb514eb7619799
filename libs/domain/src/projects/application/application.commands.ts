import { raw } from '@mikro-orm/core';
import { type EntityManager } from '@mikro-orm/postgresql';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { BusinessUnit } from '../hierarchy/business-unit.entity.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';
import { rowToChange } from '../../kernel/row-to-change.js';
import { assertHoldsRoles, readerRolesForEveryone, rolesInUnit } from '../project-access/grants.js';
import { defaultMembers } from '../project/new-project.js';
import { assertFreeName, type Siblings, uniqueSlug } from '../project/siblings.js';
import { tables } from '../../kernel/tables.js';
import { Project } from '../hierarchy/project.entity.js';
import { Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { refreshProjectsWithoutPolicy } from '../risk-policy/find-risk-policy.js';
import { Application } from '../hierarchy/application.entity.js';
import type { ApplicationInput } from './application.fields.js';

const siblings = (businessUnitId: number): Siblings => ({
  table: 'application',
  parent: 'business_unit_id',
  parentId: businessUnitId,
});

async function findUnit(em: EntityManager, actor: Actor, id: number): Promise<BusinessUnit> {
  const unit = await em.findOne(BusinessUnit, { organizationId: actor.organizationId, id });
  if (!unit) throw new Invalid({ business_unit: missingMessages(String(id)) });
  return unit;
}

const activityInput = (
  verb: ActivityInput['verb'],
  { id, name }: Pick<Application, 'id' | 'name'>,
  unit: Pick<BusinessUnit, 'id' | 'name'>,
): ActivityInput => ({
  subject: 'application',
  verb,
  id,
  title: name,
  also: { business_unit: { id: unit.id, description: unit.name } },
});

/** Creates an application; returns its public id. Throws `Invalid`. */
export async function createApplication(em: EntityManager, actor: Actor, input: ApplicationInput): Promise<string> {
  const unit = await findUnit(em, actor, input.business_unit);
  await assertFreeName(em, siblings(unit.id), input.name);
  const application = em.create(Application, {
    organizationId: actor.organizationId,
    businessUnitId: unit.id,
    name: input.name,
    slug: await uniqueSlug(em, siblings(unit.id), input.name),
    description: input.description ?? '',
    priority: input.priority ?? '0-none',
    tags: cleanTexts(input.tags ?? []),
    customAttributes: input.custom_attributes ?? {},
  });
  await em.flush();
  await recordActivity(em, actor, activityInput('Created', application, unit));
  return String(application.id);
}

/** Throws `Forbidden` if a move gives users access to projects of the application that the actor could not grant. */
async function assertMayMove(
  em: EntityManager,
  actor: Actor,
  { id, businessUnitId: from }: Application,
  to: BusinessUnit,
): Promise<void> {
  const what = `The business unit "${to.name}"`;
  if (to.allUsers) await assertHoldsRoles(em, actor, readerRolesForEveryone(from, { applicationId: id }), what);
  const roles = (await defaultMembers(em, to.id)).map(({ role }) => role);
  await assertHoldsRoles(em, actor, rolesInUnit(from, roles), what);
}

/**
 * Changes an application, and moves it if its business unit changes. Its slug is kept, as URLs contain it, unless it is
 * not unique in the new unit. Throws `NotFound`, `Forbidden`, `Invalid`.
 */
export async function updateApplication(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<ApplicationInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const application = await rowToChange(em, actor, Application, id);
  const { business_unit: unitId, tags, custom_attributes: customAttributes, ...otherChanges } = changes;
  const unit = await findUnit(em, actor, unitId ?? application.businessUnitId);
  const isMoved = unit.id !== application.businessUnitId;
  if (isMoved) await assertMayMove(em, actor, application, unit);
  const name = changes.name ?? application.name;
  if (isMoved || changes.name !== undefined) await assertFreeName(em, siblings(unit.id), name, application.id);
  em.assign(application, {
    ...otherChanges,
    ...(isMoved && { businessUnitId: unit.id, slug: await uniqueSlug(em, siblings(unit.id), name) }),
    ...(tags && { tags: cleanTexts(tags) }),
    ...(customAttributes && { customAttributes }),
    updatedAt: raw('clock_timestamp()'),
  });
  await em.flush();
  if (isMoved) await refreshProjectsWithoutPolicy(em, actor, { applicationId: application.id });
  await recordActivity(em, actor, activityInput('Updated', application, unit));
}

/** Deletes an application that has no projects. Throws `NotFound`, `Invalid`. */
export async function removeApplication(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const application = await rowToChange(em, actor, Application, id);
  // The message names no projects, since the actor may not be allowed to see them.
  const project = await tables(em, Project)
    .selectFrom('project')
    .select('id')
    .where('application_id', '=', application.id)
    .limit(1)
    .executeTakeFirst();
  if (project)
    throw new Invalid({
      non_field_errors: ['The application still has projects (archived ones count too). Delete or move them first.'],
    });
  const unit = await findUnit(em, actor, application.businessUnitId);
  const deletedActivity = activityInput('Deleted', application, unit);
  await em.remove(application).flush();
  await recordActivity(em, actor, deletedActivity);
}
