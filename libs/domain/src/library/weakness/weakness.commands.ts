import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { activationsOf, restorationOf } from '../../activity/activations.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { raise } from '../../kernel/domain-events.js';
import { assertFlag } from '../../access/flag/flags.js';
import { customId } from '../../kernel/item-id.js';
import { lockRule } from '../../kernel/lock.js';
import {
  type MatchConditionInput,
  replaceMatchConditions,
  resolveMatchConditions,
} from '../match-condition/match-condition.commands.js';
import { findIdentities } from '../../kernel/find-identities.js';
import {
  changeVersion,
  deleteIdentity,
  firstVersion,
  newIdentity,
  restore,
  versionToChange,
  versionToRemove,
} from '../customization/customization.commands.js';
import { visible } from '../customization/customization.sql.js';
import { ErrorCollector, Invalid, missing } from '../../kernel/domain-errors.js';
import { newProvenanceOf, provenanceOf, type ProvenanceInput } from '../item-reference/provenance.js';
import { WeaknessVersion } from './weakness.entity.js';
import { weaknessDeactivated, weaknessRemoved } from './weakness.events.js';
import { FIXED_CWES, TITLE_TAKEN } from './weakness.rules.js';

/** A weakness as a client gives it, checked for shape: public ids, JSON's names. */
export interface WeaknessInput extends ProvenanceInput {
  readonly title: string;
  readonly text: string;
  readonly risk_rating: number;
  readonly cwe?: readonly number[];
  readonly match_conditions?: readonly MatchConditionInput[];
  readonly active?: boolean;
}

/** Titles are given by one at a time, so that of two who want the same one wins. */
export const lockTitles = (em: EntityManager, actor: Actor): Promise<void> =>
  lockRule(em, 'weakness title', actor.organizationId);

/**
 * Titles are unique in the organization's view, whatever their case. Holds the rule's lock until the transaction ends,
 * so that of two at once one wins. Throws `Invalid`.
 */
export async function claimTitle(em: EntityManager, actor: Actor, title: string, weaknessId = 0): Promise<void> {
  await lockTitles(em, actor);
  const { rows } = await sql`
    SELECT 1 FROM weakness_version w WHERE lower(w.title) = lower(${title}) AND w.weakness_id <> ${weaknessId}
    AND ${visible('weakness', 'w', actor.organizationId)} LIMIT 1`.execute(em.getKysely());
  if (rows.length) throw new Invalid({ title: [TITLE_TAKEN] });
}

/** Throws `Invalid` where one of the numbers is no CWE. */
async function checkCwes(em: EntityManager, cwes: readonly number[] | undefined): Promise<number[] | undefined> {
  if (!cwes?.length) return cwes && [];
  const wanted = [...new Set(cwes)];
  const { rows } = await sql<{ id: number }>`SELECT id FROM cwe WHERE id = ANY(${wanted}::bigint[])`.execute(
    em.getKysely(),
  );
  const known = new Set(rows.map((row) => row.id));
  const unknown = wanted.filter((id) => !known.has(id));
  if (unknown.length) throw new Invalid({ cwe: unknown.flatMap((id) => missing(String(id))) });
  return wanted;
}

/** The CWEs of what ships are facts. Throws `Invalid` where any are sent. */
async function refuseCwes(cwes: readonly number[] | undefined): Promise<undefined> {
  if (cwes) throw new Invalid({ cwe: [FIXED_CWES] });
}

/** Throws `Forbidden` where `active` is to change and the flag for that is off. */
export function assertActiveFlag(actor: Actor, changes: { readonly active?: unknown }): void {
  if (changes.active !== undefined) assertFlag(actor, 'ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS');
}

/** Throws `Forbidden` where a new weakness shall not be what every one is, active, and the flag for that is off. */
export function assertNewActiveFlag(actor: Actor, input: { readonly active?: unknown }): void {
  if (input.active === false) assertActiveFlag(actor, input);
}

/**
 * Makes a custom weakness; returns its public id. Throws `Invalid`, and `Forbidden` for an inactive one where the flag
 * for `active` is off.
 */
export async function createWeakness(em: EntityManager, actor: Actor, input: WeaknessInput): Promise<string> {
  assertNewActiveFlag(actor, input);
  const findings = new ErrorCollector();
  const cwes = await findings.of(checkCwes(em, input.cwe));
  const conditions = await findings.of(resolveMatchConditions(em, actor, input.match_conditions));
  await findings.of(claimTitle(em, actor, input.title));
  findings.refuse();
  const { identity, number } = await newIdentity(em, actor, 'weakness');
  const version = em.create(WeaknessVersion, {
    ...firstVersion(actor, number),
    weaknessId: identity,
    title: input.title,
    text: input.text,
    riskRating: input.risk_rating,
    category: '',
    cwes: cwes ?? [],
    active: input.active ?? true,
    ...newProvenanceOf(input),
  });
  await em.flush();
  if (conditions?.length) await replaceMatchConditions(em, actor, 'weakness', version.id, conditions);
  const id = customId('weakness', number);
  await recordActivity(em, actor, { subject: 'weakness', verb: 'Created', id, title: version.title });
  return id;
}

/**
 * Changes a weakness: a built-in one for the actor's organization alone. Deactivation takes its active countermeasures
 * along; activation does not. Throws `NotFound`, `Invalid`, and `Forbidden` where the flag for `active` is off.
 */
export async function updateWeakness(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<WeaknessInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const version = await versionToChange(em, actor, 'weakness', WeaknessVersion, id);
  assertActiveFlag(actor, changes);
  const { cwe, match_conditions: _conditions, risk_rating: riskRating, ...others } = changes;
  const { references: _references, reviewed_at: _reviewed, ...plain } = others;
  const findings = new ErrorCollector();
  const cwes = await findings.of(version.isCustom ? checkCwes(em, cwe) : refuseCwes(cwe));
  const conditions = await findings.of(resolveMatchConditions(em, actor, changes.match_conditions));
  if (changes.title !== undefined) await findings.of(claimTitle(em, actor, changes.title, version.identity));
  findings.refuse();
  const values = { ...plain, riskRating, cwes, ...provenanceOf(changes) };
  const { title } = await changeVersion(em, actor, WeaknessVersion, version, values, Object.keys(changes));
  if (conditions) await replaceMatchConditions(em, actor, 'weakness', version.id, conditions);
  await recordActivity(em, actor, ...activationsOf('weakness', { id, title }, changes, version.active));
  if (changes.active === false) await raise(em, actor, weaknessDeactivated, { identity: version.identity });
}

/**
 * Deletes a custom weakness. `newWeaknessId` is the weakness that receives its countermeasures and takes its place in
 * threats; where there are countermeasures, it is required. Drops the organization's version of a built-in weakness.
 * Throws `NotFound`, `Invalid`, and `Forbidden` for a built-in weakness without changes.
 */
export async function removeWeakness(
  em: EntityManager,
  actor: Actor,
  id: string,
  newWeaknessId?: string,
): Promise<void> {
  const version = await versionToRemove(em, actor, 'weakness', id);
  if (!version.isCustom) {
    const original = await restore(em, 'weakness', version);
    await claimTitle(em, actor, original.title, version.identity);
    return recordActivity(em, actor, ...restorationOf('weakness', { id }, version, original));
  }
  const successor = await findSuccessor(em, actor, id, newWeaknessId);
  await raise(em, actor, weaknessRemoved, {
    identity: version.identity,
    ...(successor !== undefined && { successor }),
  });
  await deleteIdentity(em, 'weakness', version.identity);
  await recordActivity(em, actor, { subject: 'weakness', verb: 'Deleted', id, title: version.title });
}

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
