import type { EntityManager } from '@mikro-orm/postgresql';
import { activationsOf } from '../../activity/activations.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { alsoOf, assertPart, findParentItem, removePart } from '../countermeasure/part.commands.js';
import { customId } from '../../kernel/item-id.js';
import {
  type MatchConditionInput,
  replaceMatchConditions,
  resolveMatchConditions,
} from '../match-condition/match-condition.commands.js';
import { changeVersion, firstVersion, newIdentity, versionToChange } from '../customization/customization.commands.js';
import { slugOf } from '../../kernel/slug.js';
import { newProvenanceOf, provenanceOf, type ProvenanceInput } from '../item-reference/provenance.js';
import { HowToVersion } from './how-to.entity.js';

/** A how-to as a client gives it, checked for shape: public ids, JSON's names. */
export interface HowToInput extends ProvenanceInput {
  readonly title: string;
  readonly text: string;
  readonly match_conditions?: readonly MatchConditionInput[];
  readonly active?: boolean;
  /** Versions of products that it holds for. */
  readonly versions?: string;
}

/** Makes a custom how-to; returns its public id. Throws `NotFound`, `Invalid`. */
export async function createHowTo(
  em: EntityManager,
  actor: Actor,
  countermeasureId: string,
  input: HowToInput,
): Promise<string> {
  const whole = await findParentItem(em, actor, countermeasureId);
  const conditions = await resolveMatchConditions(em, actor, input.match_conditions);
  const { identity, number } = await newIdentity(em, actor, 'how_to', { countermeasure_id: whole.identity });
  const id = customId('how_to', number);
  const version = em.create(HowToVersion, {
    ...firstVersion(actor, number),
    howToId: identity,
    title: input.title,
    text: input.text,
    slug: slugOf(input.title, id.toLowerCase()),
    active: input.active ?? true,
    ...newProvenanceOf(input),
    versions: input.versions ?? '',
  });
  await em.flush();
  if (conditions?.length) await replaceMatchConditions(em, actor, 'how_to', version.id, conditions);
  await recordActivity(em, actor, {
    subject: 'how_to',
    verb: 'Created',
    id,
    title: version.title,
    also: alsoOf(whole),
  });
  return id;
}

/**
 * Changes a how-to: a built-in one for the actor's organization alone. Its slug stays. Throws `NotFound`, `Invalid`.
 */
export async function updateHowTo(
  em: EntityManager,
  actor: Actor,
  countermeasureId: string,
  id: string,
  changes: Partial<HowToInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const whole = await findParentItem(em, actor, countermeasureId);
  await assertPart(em, actor, 'how_to', whole, id);
  const version = await versionToChange(em, actor, 'how_to', HowToVersion, id);
  const { match_conditions: _conditions, references: _references, reviewed_at: _reviewed, ...plain } = changes;
  const conditions = await resolveMatchConditions(em, actor, changes.match_conditions);
  const values = { ...plain, ...provenanceOf(changes) };
  const { title } = await changeVersion(em, actor, HowToVersion, version, values, Object.keys(changes));
  if (conditions) await replaceMatchConditions(em, actor, 'how_to', version.id, conditions);
  const item = { id, title, also: alsoOf(whole) };
  await recordActivity(em, actor, ...activationsOf('how_to', item, changes, version.active));
}

/** Deletes a custom how-to; drops the organization's version of a built-in one. See `removePart`. */
export const removeHowTo = (em: EntityManager, actor: Actor, countermeasureId: string, id: string): Promise<void> =>
  removePart(em, actor, 'how_to', countermeasureId, id);
