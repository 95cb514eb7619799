import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../activity/activity.js';
import { activationsOf } from '../activity/activations.js';
import type { Actor } from '../actor.js';
import { type MatchConditionInput, replaceMatchConditions } from '../match-condition/match-condition.commands.js';
import { findIdentities } from '../overlay/find-identities.js';
import { customId } from '../item-id.js';
import { deleteIdentity, newIdentity, restore, versionToChange, versionToRemove } from '../overlay/overlay.commands.js';
import { type FieldErrors, Invalid, missing } from '../refusal.js';
import { CountermeasureVersion } from './countermeasure.entity.js';
import { cleanTags } from './countermeasure.rules.js';

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

interface References {
  readonly weaknessId?: number;
  readonly phaseId?: number;
}

/** Finds the weakness and phase that the input names. Throws `Invalid` naming each that does not exist. */
async function resolveReferences(em: EntityManager, actor: Actor, input: Partial<CountermeasureInput>): Promise<References> {
  const errors: FieldErrors = {};
  const find = async (field: 'problem' | 'phase', kind: 'weakness' | 'phase'): Promise<number | undefined> => {
    const id = input[field];
    if (id === undefined) return undefined;
    const found = (await findIdentities(em, actor, kind, [id])).get(id);
    if (found === undefined) errors[field] = missing(id);
    return found;
  };
  const weaknessId = await find('problem', 'weakness');
  const phaseId = await find('phase', 'phase');
  if (Object.keys(errors).length) throw new Invalid(errors);
  return { ...(weaknessId !== undefined && { weaknessId }), ...(phaseId !== undefined && { phaseId }) };
}

/** Makes a custom countermeasure; returns its public id. Throws `Invalid`. */
export async function createCountermeasure(em: EntityManager, actor: Actor, input: CountermeasureInput): Promise<string> {
  const references = await resolveReferences(em, actor, input);
  const { identity, number } = await newIdentity(em, actor, 'countermeasure');
  const version = em.create(CountermeasureVersion, {
    organizationId: actor.organizationId,
    countermeasureId: identity,
    isCustom: true,
    number,
    revision: 1,
    changedFields: [],
    title: input.title,
    text: input.text,
    priority: input.priority,
    weaknessId: references.weaknessId ?? 0,
    phaseId: references.phaseId ?? 0,
    active: input.active ?? true,
    tags: cleanTags(input.tags ?? []),
    categories: [],
    verificationCoverage: [],
    updatedBy: actor.id,
    createdBy: actor.id,
  });
  await em.flush();
  if (input.match_conditions?.length) await replaceMatchConditions(em, actor, 'countermeasure', version.id, input.match_conditions);
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
  const { problem: _problem, phase: _phase, match_conditions: conditions, tags, ...plain } = changes;
  const wasActive = version.active;
  em.assign(version, {
    ...plain,
    ...(await resolveReferences(em, actor, changes)),
    ...(tags && { tags: cleanTags(tags) }),
    changedFields: [...new Set([...version.changedFields, ...Object.keys(changes)])],
    updatedBy: actor.id,
    updatedAt: raw('clock_timestamp()'),
  });
  await em.flush();
  if (conditions) await replaceMatchConditions(em, actor, 'countermeasure', version.id, conditions);
  await recordActivity(em, actor, ...activationsOf('countermeasure', { id, title: version.title }, changes, wasActive));
}

/**
 * Deletes a custom countermeasure with all that hangs on it; drops the organization's version of a built-in one.
 * Throws `NotFound`, and `Forbidden` for a built-in one that is as it ships.
 */
export async function removeCountermeasure(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const version = await versionToRemove(em, actor, 'countermeasure', CountermeasureVersion, id);
  if (!version.isCustom) {
    const title = await restore(em, 'countermeasure', version);
    return recordActivity(em, actor, { subject: 'countermeasure', verb: 'Updated', id, title });
  }
  await deleteIdentity(em, 'countermeasure', version.countermeasureId);
  return recordActivity(em, actor, { subject: 'countermeasure', verb: 'Deleted', id, title: version.title });
}
