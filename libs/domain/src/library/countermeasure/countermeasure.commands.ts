import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import { activationsOf, restorationOf } from '../../activity/activations.js';
import type { Actor } from '../../kernel/actor.js';
import {
  type MatchConditionInput,
  replaceMatchConditions,
  resolveMatchConditions,
} from '../match-condition/match-condition.commands.js';
import { findIdentities } from '../../kernel/find-identities.js';
import { customId } from '../../kernel/item-id.js';
import {
  changeVersion,
  deleteIdentity,
  firstVersion,
  newIdentity,
  restore,
  versionToChange,
  versionToRemove,
} from '../customization/customization.commands.js';
import { raise } from '../../kernel/domain-events.js';
import { countermeasureRemoved } from './countermeasure.events.js';
import { ErrorCollector, Invalid, missing } from '../../kernel/domain-errors.js';
import { CountermeasureVersion } from './countermeasure.entity.js';
import { cleanTags } from './countermeasure.rules.js';
import { describeRemovedParts } from './part.commands.js';

/** A countermeasure as a client gives it, checked for shape: public ids, JSON's names. */
export interface CountermeasureInput {
  readonly title: string;
  readonly text: string;
  readonly problem: string;
  readonly priority: number;
  readonly phase: string;
  readonly match_conditions?: readonly MatchConditionInput[];
  readonly tags?: readonly string[];
  readonly active?: boolean;
}

/** Internal id of the item that a field names; undefined where the field is not given. Throws `Invalid`. */
async function resolveReference(
  em: EntityManager,
  actor: Actor,
  field: 'problem' | 'phase',
  kind: 'weakness' | 'phase',
  id: string | undefined,
): Promise<number | undefined> {
  if (id === undefined) return undefined;
  const found = (await findIdentities(em, actor, kind, [id])).get(id);
  if (found === undefined) throw new Invalid({ [field]: missing(id) });
  return found;
}

/** Finds what the input refers to. Throws `Invalid` with everything that does not exist. */
async function resolveReferences(em: EntityManager, actor: Actor, input: Partial<CountermeasureInput>) {
  const findings = new ErrorCollector();
  const weaknessId = await findings.of(resolveReference(em, actor, 'problem', 'weakness', input.problem));
  const phaseId = await findings.of(resolveReference(em, actor, 'phase', 'phase', input.phase));
  const conditions = await findings.of(resolveMatchConditions(em, actor, input.match_conditions));
  findings.refuse();
  return { weaknessId, phaseId, conditions };
}

/** Makes a custom countermeasure; returns its public id. Throws `Invalid`. */
export async function createCountermeasure(
  em: EntityManager,
  actor: Actor,
  input: CountermeasureInput,
): Promise<string> {
  const { weaknessId, phaseId, conditions } = await resolveReferences(em, actor, input);
  if (weaknessId === undefined || phaseId === undefined)
    throw new Error('A countermeasure takes a weakness and a phase.');
  const { identity, number } = await newIdentity(em, actor, 'countermeasure');
  const version = em.create(CountermeasureVersion, {
    ...firstVersion(actor, number),
    countermeasureId: identity,
    title: input.title,
    text: input.text,
    priority: input.priority,
    weaknessId,
    phaseId,
    active: input.active ?? true,
    tags: cleanTags(input.tags ?? []),
    categories: [],
    verificationCoverage: [],
  });
  await em.flush();
  if (conditions?.length) await replaceMatchConditions(em, actor, 'countermeasure', version.id, conditions);
  const id = customId('countermeasure', number);
  await recordActivity(em, actor, { subject: 'countermeasure', verb: 'Created', id, title: version.title });
  return id;
}

/** Changes a countermeasure: a built-in one for the actor's organization alone. Throws `NotFound`, `Invalid`. */
export async function updateCountermeasure(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<CountermeasureInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const version = await versionToChange(em, actor, 'countermeasure', CountermeasureVersion, id);
  const { problem: _problem, phase: _phase, match_conditions: _conditions, tags, ...plain } = changes;
  const { weaknessId, phaseId, conditions } = await resolveReferences(em, actor, changes);
  const values = { ...plain, weaknessId, phaseId, ...(tags && { tags: cleanTags(tags) }) };
  const { title } = await changeVersion(em, actor, CountermeasureVersion, version, values, Object.keys(changes));
  if (conditions) await replaceMatchConditions(em, actor, 'countermeasure', version.id, conditions);
  await recordActivity(em, actor, ...activationsOf('countermeasure', { id, title }, changes, version.active));
}

/**
 * Deletes a custom countermeasure with all that hangs on it, and takes it out of components and projects; drops the organization's
 * version of a built-in one. Throws `NotFound`, and `Forbidden` for a built-in one that is as it ships.
 */
export async function removeCountermeasure(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const version = await versionToRemove(em, actor, 'countermeasure', id);
  if (!version.isCustom) {
    const original = await restore(em, 'countermeasure', version);
    return recordActivity(em, actor, ...restorationOf('countermeasure', { id }, version, original));
  }
  const whole = { identity: version.identity, id, title: version.title };
  await raise(em, actor, countermeasureRemoved, whole);
  const parts = await describeRemovedParts(em, whole);
  await deleteIdentity(em, 'countermeasure', whole.identity);
  return recordActivity(em, actor, ...parts, { subject: 'countermeasure', verb: 'Deleted', id, title: whole.title });
}
