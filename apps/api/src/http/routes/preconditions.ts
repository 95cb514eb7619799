import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import { isCustomId } from '#domain/kernel/item-id.js';
import { assertRemovable } from '#domain/library/customization/customization.commands.js';
import type { CustomizableKind } from '#domain/library/customization/customization.sql.js';
import { assertInProject } from '#domain/projects/project-access/find-project.js';
import type { Capability } from '#domain/projects/project-access/project-roles.js';
import { Forbidden } from '#domain/kernel/domain-errors.js';

/**
 * What an item of the path, or what was sent, forbids even to whoever may do such things otherwise: throws `Forbidden`.
 * It is asked where something is wrong with what was sent, since it comes before that. `body` holds the fields that
 * could be read.
 */
export type Precondition = (
  em: EntityManager,
  actor: Actor,
  id: string,
  body: Readonly<Record<string, unknown>>,
) => void | Promise<void>;

/** In the project that a body names, the caller's role may not allow this. */
export const inNamedProject =
  (capability: Capability): Precondition =>
  async (em, actor, _id, { project }) => {
    if (typeof project === 'number') await assertInProject(em, actor, String(project), capability);
  };

/** Built-in items can't be changed or deleted. */
export const notBuiltIn =
  (reason: string): Precondition =>
  (_em, _actor, id) => {
    if (!isCustomId(id)) throw new Forbidden(reason);
  };

/** Unchanged built-in content can't be deleted. */
export const isRemovable =
  (kind: CustomizableKind): Precondition =>
  (em, actor, id) =>
    assertRemovable(em, actor, kind, id);
