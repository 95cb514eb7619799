import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { HIGH_PRIORITY, PRIORITY } from '../../library/countermeasure/countermeasure.rules.js';
import type { RiskPolicyConditions, RiskPolicyFilters } from './risk-policy.fields.js';

interface DefaultPolicy {
  readonly name: string;
  readonly description: string;
  readonly filters: RiskPolicyFilters;
  readonly conditions: RiskPolicyConditions;
}

/** What a countermeasure must be unless a policy says otherwise: complete, or not applicable. */
export const DONE: RiskPolicyConditions = {
  statuses: ['TS1', 'TS3'].map((status) => ({ task_status: status, minimum_verification_status: 'none' })),
};

const HIGH_PRIORITIES = Array.from(
  { length: PRIORITY.maximum - HIGH_PRIORITY + 1 },
  (_, index) => HIGH_PRIORITY + index,
);

/** The default of a new organization. */
const URGENT: DefaultPolicy = {
  name: `Priority ${HIGH_PRIORITY} and above`,
  description: `Every countermeasure of priority ${HIGH_PRIORITY} or more must be complete or not applicable.`,
  filters: { phases: [], priority: HIGH_PRIORITIES, tags: [] },
  conditions: DONE,
};

/** The default of organizations that had none when defaults were introduced: their compliance does not change. */
const PERMISSIVE: DefaultPolicy = {
  name: 'All countermeasures',
  description: 'Includes every countermeasure and sets no conditions.',
  filters: { phases: [], priority: [], tags: [] },
  conditions: { statuses: [] },
};

/** Adds a default policy to one organization, or to all, unless it has one, or has a policy of that name. */
async function addDefault(
  em: EntityManager,
  { name, description, filters, conditions }: DefaultPolicy,
  organizationId: number | null,
): Promise<void> {
  await sql`
    INSERT INTO risk_policy (organization_id, name, description, filters, conditions, is_org_default)
    SELECT o.id, ${name}, ${description}, ${JSON.stringify(filters)}::jsonb, ${JSON.stringify(conditions)}::jsonb, true
    FROM organization o
    WHERE o.id = coalesce(${organizationId}::bigint, o.id)
      AND NOT EXISTS (SELECT 1 FROM risk_policy r WHERE r.organization_id = o.id AND r.is_org_default)
    ON CONFLICT DO NOTHING`.execute(em.getKysely());
}

/** Gives a new organization its default risk policy. */
export const addFirstRiskPolicy = (
  em: EntityManager,
  _actor: Actor,
  { organizationId }: { readonly organizationId: number },
): Promise<void> => addDefault(em, URGENT, organizationId);

/**
 * Adds a default risk policy to every older organization that has none. Organizations that have unset it as their
 * default keep it that way.
 */
export const addMissingRiskPolicies = (em: EntityManager): Promise<void> => addDefault(em, PERMISSIVE, null);
