import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { assertFlag } from '../../access/flag/flags.js';
import type { Actor } from '../../kernel/actor.js';
import { Forbidden, Invalid, missing } from '../../kernel/domain-errors.js';
import { raise } from '../../kernel/domain-events.js';
import { findIdentities } from '../../kernel/find-identities.js';
import type { ItemWrite } from '../../kernel/item-write.js';
import { removeItem } from '../customization/customization.commands.js';
import {
  creating,
  type ItemForm,
  type ItemRow,
  type ResolvedItem,
  writeItems,
  type WriteOptions,
} from '../item-batch/write-items.js';
import { nameErrors } from '../item-batch/unique-names.js';
import { WeaknessVersion } from './weakness.entity.js';
import { weaknessDeactivated, weaknessRemoved } from './weakness.events.js';
import { FIXED_CWES } from './weakness.rules.js';
import type { WeaknessInput, WeaknessOfFile } from './weakness.fields.js';

/** Throws `Invalid` where another weakness has the title. */
export async function claimTitle(em: EntityManager, actor: Actor, title: string, id: string): Promise<void> {
  const [errors = {}] = await nameErrors(em, actor, 'weakness', [{ id, changes: { title } }]);
  if (Object.keys(errors).length) throw new Invalid(errors);
}

/** The numbers that are those of CWEs. */
async function findCwes(em: EntityManager, cwes: readonly number[]): Promise<ReadonlySet<number>> {
  if (!cwes.length) return new Set();
  // Unknown ones may be larger than the column holds.
  const wanted = [...new Set(cwes)];
  const { rows } = await sql<{ id: number }>`SELECT id FROM cwe WHERE id = ANY(${wanted}::bigint[])`.execute(
    em.getKysely(),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Throws `Forbidden` where `active` is to change and the flag for that is off. */
export function assertActiveFlag(actor: Actor, changes: { readonly active?: unknown }): void {
  if (changes.active !== undefined) assertFlag(actor, 'ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS');
}

/** Throws `Forbidden` where a new weakness shall not be what every one is, active, and the flag for that is off. */
export function assertNewActiveFlag(actor: Actor, input: { readonly active?: unknown }): void {
  if (input.active === false) assertActiveFlag(actor, input);
}

/** Why the organization may not say this of a weakness: the flag for `active` is off. */
function flagRefusal(actor: Actor, { input, write }: ItemRow<WeaknessOfFile>): Forbidden | undefined {
  try {
    if ('id' in write) assertActiveFlag(actor, input);
    else assertNewActiveFlag(actor, input);
    return undefined;
  } catch (error) {
    if (error instanceof Forbidden) return error;
    throw error;
  }
}

async function resolve(
  em: EntityManager,
  actor: Actor,
  rows: readonly ItemRow<WeaknessOfFile>[],
): Promise<ResolvedItem[]> {
  const known = await findCwes(
    em,
    rows.flatMap(({ input }) => input.cwe ?? []),
  );
  return rows.map((row) => {
    const { cwe, risk_rating: rating } = row.input;
    const cwes = cwe && [...new Set(cwe)];
    const unknown = cwes?.filter((id) => !known.has(id)) ?? [];
    // The CWEs of built-in weaknesses are facts.
    const isFixed = cwes !== undefined && row.version?.isCustom === false;
    const wrong = isFixed ? [FIXED_CWES] : unknown.flatMap((id) => missing(String(id)));
    return {
      columns: { risk_rating: rating, cwes },
      errors: { ...(wrong.length && { cwe: wrong }) },
      refusal: flagRefusal(actor, row),
    };
  });
}

const FORM: ItemForm<WeaknessOfFile> = {
  table: {
    kind: 'weakness',
    entity: WeaknessVersion,
  },
  resolve,
};

/**
 * Makes and changes weaknesses: built-in ones for the actor's organization alone; returns their public ids.
 * Deactivation takes their active countermeasures along; activation does not. Throws `RefusedRows`, with `Forbidden`
 * for a row that says whether a weakness is active where the flag for that is off.
 *
 * Titles and countermeasures of a file are left to the import, which looks at all of its rows.
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

/** Makes custom weaknesses; returns their public ids. Throws `RefusedRows`. */
export const createWeaknesses = creating<WeaknessInput>(writeWeaknesses);

/**
 * Deletes a custom weakness. `newWeaknessId` is the weakness that receives its countermeasures and takes its place in
 * threats; where there are countermeasures, it is required. Drops the organization's version of a built-in weakness.
 * Throws `NotFound`, `Invalid`, and `Forbidden` for a built-in weakness without changes.
 */
export const removeWeakness = (em: EntityManager, actor: Actor, id: string, newWeaknessId?: string): Promise<void> =>
  removeItem(em, actor, 'weakness', id, {
    restored: ({ title }) => claimTitle(em, actor, title, id),
    leave: async ({ identity }) => {
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
  if (successor === undefined) throw new Invalid({ new_weakness_id: missing(successorId) });
  return successor;
}
