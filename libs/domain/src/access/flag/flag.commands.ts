import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid, NotFound } from '../../kernel/domain-errors.js';
import { isFlagName, KNOWN_FLAGS } from './flags.js';

/** Turns a flag on in the actor's organization; one that is on stays on. Throws `Invalid`. */
export async function activateFlag(em: EntityManager, actor: Actor, name: string): Promise<void> {
  if (!isFlagName(name)) {
    const known = Object.keys(KNOWN_FLAGS).join(', ');
    throw new Invalid({ name: [`Must be one of ${known}, or consist of capital letters, digits and underscores.`] });
  }
  const { rows } = await sql`
    INSERT INTO feature_flag (organization_id, name) VALUES (${actor.organizationId}, ${name})
    ON CONFLICT DO NOTHING RETURNING name`.execute(em.getKysely());
  if (rows.length) await recordActivity(em, actor, { subject: 'flag', verb: 'Activated', id: name, title: name });
}

/** Turns a flag off in the actor's organization. Throws `NotFound` where it is not on. */
export async function deactivateFlag(em: EntityManager, actor: Actor, name: string): Promise<void> {
  if (!isFlagName(name)) throw new NotFound();
  const { rows } = await sql`
    DELETE FROM feature_flag WHERE organization_id = ${actor.organizationId} AND name = ${name} RETURNING name`.execute(
    em.getKysely(),
  );
  if (!rows.length) throw new NotFound();
  await recordActivity(em, actor, { subject: 'flag', verb: 'Deactivated', id: name, title: name });
}

/** Turns on what a new organization has on. */
export async function activateDefaultFlags(em: EntityManager, organizationId: number): Promise<void> {
  const names = Object.entries(KNOWN_FLAGS).flatMap(([name, on]) => (on ? [name] : []));
  await sql`
    INSERT INTO feature_flag (organization_id, name) SELECT ${organizationId}::bigint, unnest(${names}::text[])`.execute(
    em.getKysely(),
  );
}
