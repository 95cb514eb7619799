import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid, NotFound } from '../../kernel/domain-errors.js';
import { tables } from '../../kernel/tables.js';
import { FeatureFlag } from './flag.entity.js';
import { isFlagName, KNOWN_FLAGS } from './flags.js';

/** Turns a flag on in the actor's organization, if it is not on already. Throws `Invalid`. */
export async function activateFlag(em: EntityManager, actor: Actor, name: string): Promise<void> {
  if (!isFlagName(name)) {
    const knownFlags = Object.keys(KNOWN_FLAGS).join(', ');
    throw new Invalid({
      name: [`Must be one of ${knownFlags}, or consist of capital letters, digits and underscores.`],
    });
  }
  const added = await tables(em, FeatureFlag)
    .insertInto('feature_flag')
    .values({ organization_id: actor.organizationId, name })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst();
  if (added) await recordActivity(em, actor, { subject: 'flag', verb: 'Activated', id: name, title: name });
}

/** Turns a flag off in the actor's organization. Throws `NotFound` if it is not on. */
export async function deactivateFlag(em: EntityManager, actor: Actor, name: string): Promise<void> {
  if (!isFlagName(name)) throw new NotFound();
  const removed = await tables(em, FeatureFlag)
    .deleteFrom('feature_flag')
    .where('organization_id', '=', actor.organizationId)
    .where('name', '=', name)
    .returning('name')
    .executeTakeFirst();
  if (!removed) throw new NotFound();
  await recordActivity(em, actor, { subject: 'flag', verb: 'Deactivated', id: name, title: name });
}

/** Turns on the default flags of a new organization. */
export async function activateDefaultFlags(em: EntityManager, organizationId: number): Promise<void> {
  const names = Object.entries(KNOWN_FLAGS).flatMap(([name, on]) => (on ? [name] : []));
  await tables(em, FeatureFlag)
    .insertInto('feature_flag')
    .values(names.map((name) => ({ organization_id: organizationId, name })))
    .execute();
}
