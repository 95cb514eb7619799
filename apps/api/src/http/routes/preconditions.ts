import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import { isCustomId } from '#domain/kernel/item-id.js';
import { assertRemovable } from '#domain/library/customization/customization.commands.js';
import type { CustomizableKind } from '#domain/library/customization/customization.sql.js';
import { type BuiltInRules, fixedFieldErrors } from '#domain/library/item-batch/built-in-rules.js';
import { assertInProject } from '#domain/projects/project-access/find-project.js';
import type { Capability } from '#domain/projects/project-access/project-roles.js';
import { Forbidden } from '#domain/kernel/domain-errors.js';

/**
 * Throws `Forbidden` if an item of the path, or the content of the request, forbids the operation even to callers with
 * the permission. Because this error takes precedence, it is checked when another error is found. `body` has the fields
 * that could be read.
 */
export type Precondition = (
  em: EntityManager,
  actor: Actor,
  id: string,
  body: Readonly<Record<string, unknown>>,
) => void | Promise<void>;

/** The caller's role in the project that the body names must allow this. */
export const allowedInBodyProject =
  (capability: Capability): Precondition =>
  async (em, actor, _id, { project }) => {
    if (typeof project === 'number') await assertInProject(em, actor, String(project), capability);
  };

/** Built-in items can't be written. */
export const notBuiltIn =
  (reason: string): Precondition =>
  (_em, _actor, id) => {
    if (!isCustomId(id)) throw new Forbidden(reason);
  };

/** The rule of this function must not reject the body. */
export const allowedByRule =
  (rule: (actor: Actor, body: Readonly<Record<string, unknown>>) => Forbidden | undefined): Precondition =>
  (_em, actor, _id, body) => {
    const error = rule(actor, body);
    if (error) throw error;
  };

/** Built-in items, which have no versions, can only be changed as far as these rules allow. */
export const changeable =
  (rules: BuiltInRules): Precondition =>
  (_em, _actor, id, body) => {
    if (isCustomId(id)) return;
    const [[error] = []] = Object.values(fixedFieldErrors(rules, { hasVersions: false }, Object.keys(body)));
    if (error !== undefined) throw new Forbidden(error);
  };

/** Unchanged built-in content can't be deleted. */
export const isRemovable =
  (kind: CustomizableKind): Precondition =>
  (em, actor, id) =>
    assertRemovable(em, actor, kind, id);
