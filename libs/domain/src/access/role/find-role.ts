import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { idShape, isCustomId, numberOf } from '../../kernel/item-id.js';
import { Role } from './role.entity.js';

/** Finds a role that the actor's organization sees, by public id; null if there is none. */
export async function findRole(em: EntityManager, actor: Actor, id: string): Promise<Role | null> {
  if (!idShape('global_role').test(id)) return null;
  const organizationId = isCustomId(id) ? actor.organizationId : null;
  return em.findOne(Role, { organizationId, number: numberOf(id) });
}
