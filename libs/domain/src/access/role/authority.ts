import type { EntityManager } from '@mikro-orm/postgresql';
import { type Actor, may } from '../../kernel/actor.js';
import { lockRule } from '../../kernel/lock.js';
import { Forbidden } from '../../kernel/domain-errors.js';
import type { Permission } from '../../kernel/permissions.js';

/**
 * No one gives, takes or governs more than they may do themselves: else whoever manages users could make themselves an
 * administrator. Super-users may do everything. Throws `Forbidden`; `what` begins its sentence.
 */
export function assertAuthority(actor: Actor, permissions: Iterable<Permission>, what: string): void {
  const lacking = [...permissions].filter((permission) => !may(actor, permission)).sort();
  if (lacking.length) throw new Forbidden(`${what} has permissions that you lack: ${lacking.join(', ')}.`);
}

/**
 * Changes of who may do what in an organization run in sequence: each sees what the one before has done, and
 * none waits for rows that another holds.
 */
export const lockAccess = (em: EntityManager, actor: Actor): Promise<void> =>
  lockRule(em, 'access', actor.organizationId);
