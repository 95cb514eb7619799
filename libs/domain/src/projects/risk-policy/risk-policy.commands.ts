import { raw } from '@mikro-orm/core';
import { type EntityManager } from '@mikro-orm/postgresql';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';
import { rowToChange } from '../../kernel/row-to-change.js';
import { lockRule } from '../../kernel/lock.js';
import { clockTime, equalsIgnoringCase, tables } from '../../kernel/tables.js';
import { BusinessUnit } from '../hierarchy/business-unit.entity.js';
import { Project } from '../hierarchy/project.entity.js';
import { TaskStatus } from '../task-status/task-status.entity.js';
import { findIdentities } from '../../kernel/items/find-identities.js';
import { countNoun, type FieldErrors, Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { refreshProjectsWithoutPolicy, refreshProjectsWithPolicy } from './find-risk-policy.js';
import { RiskPolicy } from './risk-policy.entity.js';
import type { RiskPolicyConditions, RiskPolicyFilters } from './risk-policy.fields.js';
import type { RiskPolicyInput } from './risk-policy.fields.js';

const unique = <T>(values: readonly T[] = []): T[] => [...new Set(values)];

/** Filters as they are stored: with all lists, without duplicates. */
const cleanFilters = ({ phases, priority, tags }: Partial<RiskPolicyFilters> = {}): RiskPolicyFilters => ({
  phases: unique(phases),
  priority: unique(priority).sort((a, b) => a - b),
  tags: cleanTexts(tags ?? []),
});

const cleanConditions = ({ statuses = [] }: RiskPolicyInput['conditions'] = {}): RiskPolicyConditions => ({
  statuses: statuses.map(({ task_status, minimum_verification_status = 'none' }) => ({
    task_status,
    minimum_verification_status,
  })),
});

/** Throws `Invalid` if the name is taken, or if a phase or status does not exist. */
async function assertValidInput(
  em: EntityManager,
  actor: Actor,
  { name, filters, conditions }: Partial<RiskPolicyInput>,
  policyId = 0,
): Promise<void> {
  const errors: FieldErrors = {};
  if (name !== undefined) {
    const other = await tables(em, RiskPolicy)
      .selectFrom('risk_policy')
      .select('id')
      .where('organization_id', '=', actor.organizationId)
      .where(equalsIgnoringCase('risk_policy.name', name))
      .where('id', '<>', policyId)
      .executeTakeFirst();
    if (other) errors.name = ['A risk policy with this name already exists.'];
  }
  const phases = unique(filters?.phases);
  const phaseIds = await findIdentities(em, actor, 'phase', phases, { hold: true });
  const unknown = phases.filter((id) => !phaseIds.has(id));
  if (unknown.length) errors.filters = { phases: unknown.flatMap(missingMessages) };
  const statuses = await tables(em, TaskStatus).selectFrom('task_status').select('item_id').execute();
  const statusIds = new Set(statuses.map(({ item_id: id }) => id));
  const statusErrors = (conditions?.statuses ?? []).map(({ task_status: id }): FieldErrors =>
    statusIds.has(id) ? {} : { task_status: missingMessages(id) },
  );
  if (statusErrors.some((entry) => Object.keys(entry).length)) errors.conditions = { statuses: statusErrors };
  if (Object.keys(errors).length) throw new Invalid(errors);
}

const activityInput = (verb: ActivityInput['verb'], { id, name }: Pick<RiskPolicy, 'id' | 'name'>): ActivityInput => ({
  subject: 'risk_policy',
  verb,
  id,
  title: name,
});

/** Makes a policy the only default of its organization. The lock serializes changes of the default. */
async function makeDefault(em: EntityManager, actor: Actor, policyId: number): Promise<ActivityInput[]> {
  await lockRule(em, 'default risk policy', actor.organizationId);
  const database = tables(em, RiskPolicy);
  const replaced = await database
    .updateTable('risk_policy')
    .set({ is_org_default: false, updated_at: clockTime })
    .where('organization_id', '=', actor.organizationId)
    .where('is_org_default', '=', true)
    .where('id', '<>', policyId)
    .returning(['id', 'name'])
    .execute();
  await database.updateTable('risk_policy').set({ is_org_default: true }).where('id', '=', policyId).execute();
  return replaced.map((policy) => activityInput('Changed', policy));
}

/** Creates a risk policy; returns its public id. Throws `Invalid`. */
export async function createRiskPolicy(em: EntityManager, actor: Actor, input: RiskPolicyInput): Promise<string> {
  await assertValidInput(em, actor, input);
  const policy = em.create(RiskPolicy, {
    organizationId: actor.organizationId,
    name: input.name,
    description: input.description ?? '',
    filters: cleanFilters(input.filters),
    conditions: cleanConditions(input.conditions),
    isOrgDefault: false,
  });
  await em.flush();
  const replaced = input.is_org_default ? await makeDefault(em, actor, policy.id) : [];
  if (input.is_org_default) await refreshProjectsWithoutPolicy(em, actor);
  await recordActivity(em, actor, activityInput('Created', policy), ...replaced);
  return String(policy.id);
}

/** Changes a risk policy, and updates the compliance of projects. Throws `NotFound`, `Invalid`. */
export async function updateRiskPolicy(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<RiskPolicyInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const policy = await rowToChange(em, actor, RiskPolicy, id);
  await assertValidInput(em, actor, changes, policy.id);
  const wasDefault = policy.isOrgDefault;
  em.assign(policy, {
    ...(changes.name !== undefined && { name: changes.name }),
    ...(changes.description !== undefined && { description: changes.description }),
    ...(changes.filters && { filters: cleanFilters({ ...policy.filters, ...changes.filters }) }),
    ...(changes.conditions && { conditions: cleanConditions({ ...policy.conditions, ...changes.conditions }) }),
    ...(changes.is_org_default === false && { isOrgDefault: false }),
    updatedAt: raw('clock_timestamp()'),
  });
  await em.flush();
  const replaced = changes.is_org_default && !wasDefault ? await makeDefault(em, actor, policy.id) : [];
  if (changes.filters || changes.conditions) await refreshProjectsWithPolicy(em, actor, policy.id);
  if (changes.is_org_default !== undefined && changes.is_org_default !== wasDefault)
    await refreshProjectsWithoutPolicy(em, actor);
  await recordActivity(em, actor, activityInput('Changed', policy), ...replaced);
}

/** Deletes a risk policy that no project or business unit uses. Throws `NotFound`, `Invalid`. */
export async function removeRiskPolicy(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const policy = await rowToChange(em, actor, RiskPolicy, id);
  // The message names no projects, since the actor may not be allowed to see them.
  const { projects, units } = await tables(em, Project, BusinessUnit)
    .selectNoFrom((query) => [
      query
        .selectFrom('project')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('risk_policy_id', '=', policy.id)
        .$asScalar()
        .$notNull()
        .as('projects'),
      query
        .selectFrom('business_unit')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('default_risk_policy_id', '=', policy.id)
        .$asScalar()
        .$notNull()
        .as('units'),
    ])
    .executeTakeFirstOrThrow();
  if (projects + units > 0)
    throw new Invalid({
      non_field_errors: [
        `The risk policy is in use: by ${countNoun(projects, 'project')} and ${countNoun(units, 'business unit')}. ` +
          'Assign them another one first.',
      ],
    });
  const wasDefault = policy.isOrgDefault;
  const deletedActivity = activityInput('Deleted', policy);
  await em.remove(policy).flush();
  if (wasDefault) await refreshProjectsWithoutPolicy(em, actor);
  await recordActivity(em, actor, deletedActivity);
}
