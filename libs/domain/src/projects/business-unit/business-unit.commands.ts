import { raw } from '@mikro-orm/core';
import { type EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { RemovedGroup } from '../../access/events/access.events.js';
import type { Actor } from '../../kernel/actor.js';
import { rowToChange } from '../../kernel/row-to-change.js';
import { assertHoldsRoles, readerRolesForEveryone, rolesInUnit } from '../project-access/grants.js';
import { defaultMembers } from '../project/new-project.js';
import { type Member, resolveGroupMembers, resolveUserMembers } from '../project/project-members.js';
import { assertFreeName, type Siblings, uniqueSlug } from '../project/siblings.js';
import { clockTime, tables } from '../../kernel/tables.js';
import { ErrorCollector, Invalid } from '../../kernel/domain-errors.js';
import { refreshProjectsWithoutPolicy, resolveRiskPolicy } from '../risk-policy/find-risk-policy.js';
import { Application } from '../hierarchy/application.entity.js';
import { BusinessUnit } from '../hierarchy/business-unit.entity.js';
import { BusinessUnitMember } from '../project-access/member.entity.js';
import type { BusinessUnitInput } from './business-unit.fields.js';

const siblings = (actor: Actor): Siblings => ({
  table: 'business_unit',
  parent: 'organization_id',
  parentId: actor.organizationId,
});

/** One of the four member lists of a unit, resolved. */
interface MemberList {
  readonly kind: Member['kind'];
  /** Whether these are the default members of new projects. */
  readonly isDefault: boolean;
  readonly members: readonly Member[];
}

interface References {
  readonly riskPolicyId?: number | null;
  readonly lists: readonly MemberList[];
}

/** Resolves all references in the input, and checks that the name is unique. Throws `Invalid` with all errors. */
async function resolveReferences(
  em: EntityManager,
  actor: Actor,
  input: Partial<BusinessUnitInput>,
  unitId = 0,
): Promise<References> {
  const errors = new ErrorCollector();
  if (input.name !== undefined) await errors.collect(assertFreeName(em, siblings(actor), input.name, unitId));
  const riskPolicyId =
    input.default_risk_policy === undefined
      ? undefined
      : await errors.collect(resolveRiskPolicy(em, actor, 'default_risk_policy', input.default_risk_policy));
  const lists: MemberList[] = [];
  for (const field of ['users', 'default_users'] as const) {
    const members = input[field] && (await errors.collect(resolveUserMembers(em, actor, field, input[field])));
    if (members) lists.push({ kind: 'user', isDefault: field === 'default_users', members });
  }
  for (const field of ['groups', 'default_groups'] as const) {
    const members = input[field] && (await errors.collect(resolveGroupMembers(em, actor, field, input[field])));
    if (members) lists.push({ kind: 'group', isDefault: field === 'default_groups', members });
  }
  errors.throwIfAny();
  return { lists, ...(riskPolicyId !== undefined && { riskPolicyId }) };
}

/**
 * Throws `Forbidden` if a change of a unit grants or revokes more access to its projects than the actor has. Visibility
 * of the unit itself needs no check, since everyone who manages units can see all of them.
 *
 * @param unit its current state; absent for a new unit
 */
async function assertMayGrant(
  em: EntityManager,
  actor: Actor,
  input: Partial<BusinessUnitInput>,
  lists: readonly MemberList[],
  unit?: BusinessUnit,
): Promise<void> {
  const unitId = unit?.id ?? 0;
  if (input.all_users && !unit?.allUsers)
    await assertHoldsRoles(em, actor, readerRolesForEveryone(unitId), 'A business unit with "all_users"');
  const currentDefaults = unit ? await defaultMembers(em, unit.id) : [];
  const changed = lists.flatMap(({ kind, isDefault, members }) =>
    isDefault
      ? changedMembers(
          currentDefaults.filter((member) => member.kind === kind),
          members,
        )
      : [],
  );
  const roles = changed.map(({ role }) => role);
  await assertHoldsRoles(em, actor, rolesInUnit(unitId, roles), 'A default member');
}

/** Members of one list that the other does not contain with the same role. */
function changedMembers(one: readonly Member[], other: readonly Member[]): Member[] {
  const isMissingIn = (list: readonly Member[]) => (member: Member) =>
    !list.some(({ id, role }) => id === member.id && role === member.role);
  return [...one.filter(isMissingIn(other)), ...other.filter(isMissingIn(one))];
}

async function replaceMembers(em: EntityManager, unitId: number, lists: readonly MemberList[]): Promise<void> {
  for (const { kind, isDefault, members } of lists) {
    const column = `${kind}_id` as const;
    const roles = members.map(({ role }) => (isDefault ? role : null));
    const listed = sql`unnest(${members.map(({ id }) => id)}::bigint[], ${roles}::text[]) AS listed(id, role)`;
    // Members that stay keep the provider that has given them their role.
    await tables(em, BusinessUnitMember)
      .deleteFrom('business_unit_member as m')
      .where('business_unit_id', '=', unitId)
      .where(column, 'is not', null)
      .where('project_role', isDefault ? 'is not' : 'is', null)
      .where(
        sql<boolean>`NOT EXISTS (SELECT FROM ${listed}
          WHERE listed.id = m.${sql.ref(column)} AND listed.role IS NOT DISTINCT FROM m.project_role)`,
      )
      .execute();
    await sql`INSERT INTO business_unit_member (business_unit_id, ${sql.ref(column)}, project_role)
      SELECT ${unitId}, * FROM ${listed} ON CONFLICT DO NOTHING`.execute(em.getKysely());
  }
}

export const unitActivity = (
  verb: ActivityInput['verb'],
  { id, name }: Pick<BusinessUnit, 'id' | 'name'>,
): ActivityInput => ({
  subject: 'business_unit',
  verb,
  id,
  title: name,
});

/** Creates a business unit; returns its public id. Throws `Invalid`, `Forbidden`. */
export async function createBusinessUnit(em: EntityManager, actor: Actor, input: BusinessUnitInput): Promise<string> {
  const { lists, riskPolicyId } = await resolveReferences(em, actor, input);
  await assertMayGrant(em, actor, input, lists);
  const unit = em.create(BusinessUnit, {
    organizationId: actor.organizationId,
    name: input.name,
    slug: await uniqueSlug(em, siblings(actor), input.name),
    allUsers: input.all_users ?? false,
    persistPhases: input.persist_phases ?? false,
    defaultRiskPolicyId: riskPolicyId ?? null,
  });
  await em.flush();
  await replaceMembers(em, unit.id, lists);
  await recordActivity(em, actor, unitActivity('Created', unit));
  return String(unit.id);
}

/** Changes a business unit. Its slug is kept, as URLs contain it. Throws `NotFound`, `Forbidden`, `Invalid`. */
export async function updateBusinessUnit(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<BusinessUnitInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const unit = await rowToChange(em, actor, BusinessUnit, id);
  const { lists, riskPolicyId } = await resolveReferences(em, actor, changes, unit.id);
  await assertMayGrant(em, actor, changes, lists, unit);
  em.assign(unit, {
    ...(changes.name !== undefined && { name: changes.name }),
    ...(changes.all_users !== undefined && { allUsers: changes.all_users }),
    ...(changes.persist_phases !== undefined && { persistPhases: changes.persist_phases }),
    ...(riskPolicyId !== undefined && { defaultRiskPolicyId: riskPolicyId }),
    updatedAt: raw('clock_timestamp()'),
  });
  await em.flush();
  await replaceMembers(em, unit.id, lists);
  if (riskPolicyId !== undefined) await refreshProjectsWithoutPolicy(em, actor, { businessUnitId: unit.id });
  await recordActivity(em, actor, unitActivity('Updated', unit));
}

/** Removes a group that is about to be deleted, and is locked, from the business units that refer to it. */
export async function removeGroupFromUnits(em: EntityManager, actor: Actor, group: RemovedGroup): Promise<void> {
  const units = await tables(em, BusinessUnit, BusinessUnitMember)
    .with('deleted', (database) =>
      database.deleteFrom('business_unit_member').where('group_id', '=', group.id).returning('business_unit_id'),
    )
    .updateTable('business_unit')
    .set({ updated_at: clockTime })
    .where('id', 'in', (query) => query.selectFrom('deleted').select('business_unit_id'))
    .returning(['id', 'name'])
    .execute();
  await recordActivity(em, actor, ...units.map((unit) => unitActivity('Updated', unit)));
}

/** Deletes a business unit that has no applications. Throws `NotFound`, `Invalid`. */
export async function removeBusinessUnit(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const unit = await rowToChange(em, actor, BusinessUnit, id);
  const application = await tables(em, Application)
    .selectFrom('application')
    .select('name')
    .where('business_unit_id', '=', unit.id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (application)
    throw new Invalid({
      non_field_errors: [
        `The business unit still has applications, such as "${application.name}". Delete or move them first.`,
      ],
    });
  const deletedActivity = unitActivity('Deleted', unit);
  await em.remove(unit).flush();
  await recordActivity(em, actor, deletedActivity);
}
