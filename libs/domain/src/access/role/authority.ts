import type { EntityManager } from '@mikro-orm/postgresql';
import { type Actor, may } from '../../kernel/actor.js';
import { lockRule } from '../../kernel/lock.js';
import { Forbidden } from '../../kernel/domain-errors.js';
import type { Permission } from '../../kernel/permissions.js';

/**
 * Throws `Forbidden` if the actor lacks any of the permissions that they are about to give, take or control. Otherwise
 * a user manager could make themselves an administrator. Super-users may do everything. `what` is the beginning of the
 * error message.
 */
export function assertAuthority(actor: Actor, permissions: Iterable<Permission>, what: string): void {
  const lacking = [...permissions].filter((permission) => !may(actor, permission)).sort();
  if (lacking.length) throw new Forbidden(`${what} has permissions that you lack: ${lacking.join(', ')}.`);
}

/**
 * Serializes changes of permissions in an organization, so that each sees the result of the one before and none
 * deadlocks.
 */
export const lockAccess = (em: EntityManager, actor: Actor): Promise<void> =>
  lockRule(em, 'access', actor.organizationId);
