import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { raise } from '../../kernel/domain-events.js';
import { findIdentities } from '../../kernel/items/find-identities.js';
import type { ItemWrite } from '../../kernel/items/item-write.js';
import { findCwes } from '../cwe/find-cwes.js';
import { removeItem } from '../customization/customization.commands.js';
import type { ItemForm, ItemRow, ResolvedItem, WriteOptions } from '../item-batch/item-form.js';
import { creating, writeItems } from '../item-batch/write-items.js';
import { nameErrors } from '../item-batch/unique-names.js';
import { WeaknessVersion } from './weakness.entity.js';
import { weaknessDeactivated, weaknessRemoved } from '../events/library.events.js';
import { activeFlagError, BUILT_IN_WEAKNESS } from './weakness.rules.js';
import type { WeaknessInput, WeaknessOfFile } from './weakness.fields.js';

/** Throws `Invalid` if another weakness has the title. */
export async function claimTitle(em: EntityManager, actor: Actor, title: string, id: string): Promise<void> {
  const [errors = {}] = await nameErrors(em, actor, 'weakness', [{ id, changes: { title } }]);
  if (Object.keys(errors).length) throw new Invalid(errors);
}

async function resolve(
  em: EntityManager,
  actor: Actor,
  rows: readonly ItemRow<WeaknessOfFile>[],
): Promise<ResolvedItem[]> {
  const knownCwes = await findCwes(
    em,
    rows.flatMap(({ input }) => input.cwe ?? []),
  );
  return rows.map((row) => {
    const { cwe, risk_rating: rating } = row.input;
    const cwes = cwe && [...new Set(cwe)];
    const unknown = cwes?.filter((id) => !knownCwes.has(id)) ?? [];
    return {
      columns: { risk_rating: rating, cwes },
      errors: { ...(unknown.length && { cwe: unknown.flatMap((id) => missingMessages(String(id))) }) },
      rejection: activeFlagError(actor, row.input, 'input' in row.write),
    };
  });
}

const FORM: ItemForm<WeaknessOfFile> = {
  table: {
    kind: 'weakness',
    entity: WeaknessVersion,
  },
  builtIn: BUILT_IN_WEAKNESS,
  resolve,
};

/**
 * Creates and changes weaknesses: built-in ones only for the actor's organization; returns their public ids.
 * Deactivating a weakness also deactivates its active countermeasures; activating it does not activate them. Throws
 * `RejectedRows`, with `Forbidden` for a row that sets `active` if the flag for that is off.
 *
 * The import checks titles and countermeasures of a file itself, because that involves all rows.
 */
export async function writeWeaknesses(
  em: EntityManager,
  actor: Actor,
  writes: readonly ItemWrite<WeaknessOfFile>[],
  options: WriteOptions = {},
): Promise<string[]> {
  const written = await writeItems(em, actor, FORM, writes, options);
  for (const [row, { identity }] of options.fromFile ? [] : written.entries()) {
    const write = writes[row];
    if (identity === undefined || !write || !('id' in write) || write.changes.active !== false) continue;
    await raise(em, actor, weaknessDeactivated, { identity });
  }
  return written.map(({ id }) => id);
}

/** Creates custom weaknesses; returns their public ids. Throws `RejectedRows`. */
export const createWeaknesses = creating<WeaknessInput>(writeWeaknesses);

/**
 * Deletes a custom weakness. `newWeaknessId` is the weakness that receives its countermeasures and replaces it in
 * threats; it is required if there are countermeasures. Drops the organization's version of a built-in weakness. Throws
 * `NotFound`, `Invalid`, and `Forbidden` for an unchanged built-in weakness.
 */
export const removeWeakness = (em: EntityManager, actor: Actor, id: string, newWeaknessId?: string): Promise<void> =>
  removeItem(em, actor, 'weakness', id, {
    checkRestored: ({ title }) => claimTitle(em, actor, title, id),
    removeReferences: async ({ identity }) => {
      const successor = await findSuccessor(em, actor, id, newWeaknessId);
      await raise(em, actor, weaknessRemoved, { identity, ...(successor !== undefined && { successor }) });
    },
  });

async function findSuccessor(
  em: EntityManager,
  actor: Actor,
  id: string,
  successorId: string | undefined,
): Promise<number | undefined> {
  if (successorId === undefined) return undefined;
  if (successorId === id) throw new Invalid({ new_weakness_id: ['This is the weakness to be deleted.'] });
  const successor = (await findIdentities(em, actor, 'weakness', [successorId], { hold: true })).get(successorId);
  if (successor === undefined) throw new Invalid({ new_weakness_id: missingMessages(successorId) });
  return successor;
}
