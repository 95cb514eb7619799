import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { activationsOf } from '../../activity/activations.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { nextNumber } from '../../kernel/id-counter.js';
import { customId } from '../../kernel/item-id.js';
import { Forbidden } from '../../kernel/domain-errors.js';
import { Attribute } from './attribute.entity.js';
import { FIXED_ATTRIBUTE, PERMANENT_ATTRIBUTE } from './attribute.rules.js';
import { releaseAttribute } from './attribute-uses.js';
import { lockTree, moveSubtree, resolvePlace } from './attribute-tree.js';
import { findAttribute } from './find-attribute.js';

/** An attribute as a client gives it, checked for shape: public ids, JSON's names. */
export interface AttributeInput {
  readonly name: string;
  readonly description?: string;
  /** Null or absent: a root. */
  readonly parent?: string | null;
  readonly active?: boolean;
}

/** Makes a custom attribute; returns its public id. Throws `Invalid`. */
export async function createAttribute(em: EntityManager, actor: Actor, input: AttributeInput): Promise<string> {
  await lockTree(em, actor);
  const place = await resolvePlace(em, actor, input.parent ?? null);
  const number = await nextNumber(em, actor, 'attribute');
  em.create(Attribute, {
    organizationId: actor.organizationId,
    number,
    ...place,
    name: input.name,
    description: input.description ?? '',
    active: input.active ?? true,
  });
  await em.flush();
  const id = customId('attribute', number);
  await recordActivity(em, actor, { subject: 'attribute', verb: 'Created', id, title: input.name });
  return id;
}

/**
 * Changes an attribute; a built-in one is switched on or off for the actor's organization alone. Throws `NotFound`,
 * `Invalid`, and `Forbidden` for any other change of a built-in one.
 */
export async function updateAttribute(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<AttributeInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  await lockTree(em, actor);
  const attribute = await findAttribute(em, actor, id);
  if (attribute.organizationId === null) return switchBuiltIn(em, actor, attribute, id, changes);
  const { parent, ...plain } = changes;
  const place = parent === undefined ? undefined : await resolvePlace(em, actor, parent, attribute);
  if (place) await moveSubtree(em, attribute, place);
  const wasActive = attribute.active;
  em.assign(attribute, { ...plain, ...place, updatedAt: raw('clock_timestamp()') });
  await em.flush();
  await recordActivity(em, actor, ...activationsOf('attribute', { id, title: attribute.name }, changes, wasActive));
}

/** Throws `Forbidden` where more is to change of a built-in attribute than whether it is active. */
export function assertSwitchAlone(changes: object): void {
  if (Object.keys(changes).some((field) => field !== 'active')) throw new Forbidden(FIXED_ATTRIBUTE);
}

async function switchBuiltIn(
  em: EntityManager,
  actor: Actor,
  attribute: Attribute,
  id: string,
  changes: Partial<AttributeInput>,
): Promise<void> {
  assertSwitchAlone(changes);
  const { rows } = await sql<{ active: boolean }>`
    SELECT active FROM attribute_switch
    WHERE organization_id = ${actor.organizationId} AND attribute_id = ${attribute.id}`.execute(em.getKysely());
  const wasActive = rows[0]?.active ?? attribute.active;
  const { active = wasActive } = changes;
  await sql`
    INSERT INTO attribute_switch (organization_id, attribute_id, active)
    VALUES (${actor.organizationId}, ${attribute.id}, ${active})
    ON CONFLICT (organization_id, attribute_id) DO UPDATE
      SET active = excluded.active, updated_at = clock_timestamp()`.execute(em.getKysely());
  await recordActivity(em, actor, ...activationsOf('attribute', { id, title: attribute.name }, changes, wasActive));
}

/**
 * Deletes a custom attribute. Throws `NotFound`, `Forbidden` for a built-in one, and `Invalid`, saying where, for one
 * that is in use; with `force` it is taken out of everything that uses it instead.
 */
export async function removeAttribute(em: EntityManager, actor: Actor, id: string, force: boolean): Promise<void> {
  await lockTree(em, actor);
  const attribute = await findAttribute(em, actor, id);
  if (attribute.organizationId === null) throw new Forbidden(PERMANENT_ATTRIBUTE);
  await releaseAttribute(em, actor, attribute, force);
  await em.remove(attribute).flush();
  await recordActivity(em, actor, { subject: 'attribute', verb: 'Deleted', id, title: attribute.name });
}
