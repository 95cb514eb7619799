import { raw } from '@mikro-orm/core';
import { type EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { RemovedGroup } from '../../access/group/group.events.js';
import type { Actor } from '../../kernel/actor.js';
import { rowToChange } from '../../kernel/row-to-change.js';
import { assertHolds, everyoneReads, rolesInUnit } from '../project-access/grants.js';
import { defaultMembers } from '../project/new-project.js';
import { type Member, resolveGroupMembers, resolveUserMembers } from '../project/project-members.js';
import { assertFreeName, type Siblings, slugAmong } from '../project/siblings.js';
import { clockTime, tables } from '../../kernel/tables.js';
import { ErrorCollector, Invalid } from '../../kernel/domain-errors.js';
import { refreshProjectsWithoutPolicy, resolveRiskPolicy } from '../risk-policy/find-risk-policy.js';
import { Application } from '../project-access/application.entity.js';
import { BusinessUnit } from '../project-access/business-unit.entity.js';
import { BusinessUnitMember } from '../project-access/member.entity.js';
import type { BusinessUnitInput } from './business-unit.fields.js';

const siblings = (actor: Actor): Siblings => ({
  table: 'business_unit',
  parent: 'organization_id',
  parentId: actor.organizationId,
});

/** One of the four lists of a unit, resolved. */
interface MemberList {
  readonly kind: Member['kind'];
  /** Whether its members get a role in new projects. */
  readonly byDefault: boolean;
  readonly members: readonly Member[];
}

interface References {
  readonly riskPolicyId?: number | null;
  readonly lists: readonly MemberList[];
}

/** Finds all that the input names, and sees that its name is free. Throws `Invalid` naming everything that is wrong. */
async function resolveReferences(
  em: EntityManager,
  actor: Actor,
  input: Partial<BusinessUnitInput>,
  unitId = 0,
): Promise<References> {
  const findings = new ErrorCollector();
  if (input.name !== undefined) await findings.collect(assertFreeName(em, siblings(actor), input.name, unitId));
  const riskPolicyId =
    input.default_risk_policy === undefined
      ? undefined
      : await findings.collect(resolveRiskPolicy(em, actor, 'default_risk_policy', input.default_risk_policy));
  const lists: MemberList[] = [];
  for (const field of ['users', 'default_users'] as const) {
    const members = input[field] && (await findings.collect(resolveUserMembers(em, actor, field, input[field])));
    if (members) lists.push({ kind: 'user', byDefault: field === 'default_users', members });
  }
  for (const field of ['groups', 'default_groups'] as const) {
    const members = input[field] && (await findings.collect(resolveGroupMembers(em, actor, field, input[field])));
    if (members) lists.push({ kind: 'group', byDefault: field === 'default_groups', members });
  }
  findings.throwIfAny();
  return { lists, ...(riskPolicyId !== undefined && { riskPolicyId }) };
}

/**
 * Throws `Forbidden` where a change of a unit gives or takes more in its projects than the actor has there. What it
 * shows of itself needs no check: whoever makes and changes units sees all of them.
 *
 * @param unit as it is; absent for a new one
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
    await assertHolds(em, actor, everyoneReads(unitId), 'A business unit with "all_users"');
  const present = unit ? await defaultMembers(em, unit.id) : [];
  const changed = lists.flatMap(({ kind, byDefault, members }) =>
    byDefault
      ? differenceOf(
          present.filter((member) => member.kind === kind),
          members,
        )
      : [],
  );
  const roles = changed.map(({ role }) => role);
  await assertHolds(em, actor, rolesInUnit(unitId, roles), 'A default member');
}

/** Members of one list that the other does not have with the same role. */
function differenceOf(one: readonly Member[], other: readonly Member[]): Member[] {
  const isMissingIn = (list: readonly Member[]) => (member: Member) =>
    !list.some(({ id, role }) => id === member.id && role === member.role);
  return [...one.filter(isMissingIn(other)), ...other.filter(isMissingIn(one))];
}

async function replaceMembers(em: EntityManager, unitId: number, lists: readonly MemberList[]): Promise<void> {
  for (const { kind, byDefault, members } of lists) {
    const column = `${kind}_id` as const;
    await tables(em, BusinessUnitMember)
      .deleteFrom('business_unit_member')
      .where('business_unit_id', '=', unitId)
      .where(column, 'is not', null)
      .where('project_role', byDefault ? 'is not' : 'is', null)
      .execute();
    const roles = members.map(({ role }) => (byDefault ? role : null));
    await sql`INSERT INTO business_unit_member (business_unit_id, ${sql.ref(column)}, project_role)
      SELECT ${unitId}, * FROM unnest(${members.map(({ id }) => id)}::bigint[], ${roles}::text[])`.execute(
      em.getKysely(),
    );
  }
}

const activityInput = (
  verb: ActivityInput['verb'],
  { id, name }: Pick<BusinessUnit, 'id' | 'name'>,
): ActivityInput => ({
  subject: 'business_unit',
  verb,
  id,
  title: name,
});

/** Makes a business unit; returns its public id. Throws `Invalid`, and `Forbidden` for more than the actor has. */
export async function createBusinessUnit(em: EntityManager, actor: Actor, input: BusinessUnitInput): Promise<string> {
  const { lists, riskPolicyId } = await resolveReferences(em, actor, input);
  await assertMayGrant(em, actor, input, lists);
  const unit = em.create(BusinessUnit, {
    organizationId: actor.organizationId,
    name: input.name,
    slug: await slugAmong(em, siblings(actor), input.name),
    allUsers: input.all_users ?? false,
    persistPhases: input.persist_phases ?? false,
    defaultRiskPolicyId: riskPolicyId ?? null,
  });
  await em.flush();
  await replaceMembers(em, unit.id, lists);
  await recordActivity(em, actor, activityInput('Created', unit));
  return String(unit.id);
}

/** Changes a business unit. Its slug stays, since addresses hold it. Throws `NotFound`, `Forbidden`, `Invalid`. */
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
  await recordActivity(em, actor, activityInput('Updated', unit));
}

/** Takes a group that is about to be deleted, and is locked, out of the business units that name it. */
export async function takeOutOfBusinessUnits(em: EntityManager, actor: Actor, group: RemovedGroup): Promise<void> {
  const units = await tables(em, BusinessUnit, BusinessUnitMember)
    .with('gone', (database) =>
      database.deleteFrom('business_unit_member').where('group_id', '=', group.id).returning('business_unit_id'),
    )
    .updateTable('business_unit')
    .set({ updated_at: clockTime })
    .where('id', 'in', (query) => query.selectFrom('gone').select('business_unit_id'))
    .returning(['id', 'name'])
    .execute();
  await recordActivity(em, actor, ...units.map((unit) => activityInput('Updated', unit)));
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
  const deletedActivity = activityInput('Deleted', unit);
  await em.remove(unit).flush();
  await recordActivity(em, actor, deletedActivity);
}
