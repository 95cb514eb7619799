import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../actor.js';
import { Invalid, missing } from '../refusal.js';

/** The number of a risk policy that a body names in `field`; null stays null. Throws `Invalid` where there is none. */
export async function resolveRiskPolicy(
  em: EntityManager,
  actor: Actor,
  field: string,
  id: number | null,
): Promise<number | null> {
  if (id === null) return null;
  const { rows } = await sql`
    SELECT 1 FROM risk_policy WHERE id = ${id} AND organization_id = ${actor.organizationId}`.execute(em.getKysely());
  if (!rows.length) throw new Invalid({ [field]: missing(String(id)) });
  return id;
}

/** The policy of a new project for which none is named: its business unit's, else the organization's. */
export async function defaultRiskPolicy(
  em: EntityManager,
  actor: Actor,
  businessUnitId: number,
): Promise<number | null> {
  const { rows } = await sql<{ id: string | null }>`
    SELECT coalesce(
      (SELECT b.default_risk_policy_id FROM business_unit b WHERE b.id = ${businessUnitId}),
      (SELECT r.id FROM risk_policy r WHERE r.organization_id = ${actor.organizationId} AND r.is_org_default)) AS id`.execute(
    em.getKysely(),
  );
  const id = rows[0]?.id ?? null;
  return id === null ? null : Number(id);
}
