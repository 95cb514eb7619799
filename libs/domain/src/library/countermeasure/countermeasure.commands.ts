import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import { restorationOf } from '../../activity/activations.js';
import type { Actor } from '../../kernel/actor.js';
import { missing } from '../../kernel/domain-errors.js';
import { raise } from '../../kernel/domain-events.js';
import { cleanTexts } from '../../kernel/field-checks.js';
import { findIdentities } from '../../kernel/find-identities.js';
import { type ItemWrite, newItems } from '../../kernel/item-write.js';
import type { ConditionOfFile, MatchConditionInput } from '../match-condition/match-condition.commands.js';
import { deleteIdentity, restore, versionToRemove } from '../customization/customization.commands.js';
import {
  COMMON_COLUMNS,
  idsOf,
  type ItemForm,
  type ItemRow,
  type ResolvedItem,
  writeItems,
  type WriteOptions,
} from '../item-batch/write-items.js';
import type { ProvenanceInput } from '../item-reference/provenance.js';
import { CountermeasureVersion } from './countermeasure.entity.js';
import { countermeasureRemoved } from './countermeasure.events.js';
import { describeRemovedParts } from './part.commands.js';

/** A countermeasure as a client gives it, checked for shape: public ids, JSON's names. */
export interface CountermeasureInput extends ProvenanceInput {
  readonly title: string;
  readonly text: string;
  readonly problem: string;
  readonly priority: number;
  readonly phase: string;
  readonly match_conditions?: readonly MatchConditionInput[];
  readonly tags?: readonly string[];
  readonly active?: boolean;
}

/** The same as a file gives it, which has more to say. */
interface CountermeasureOfFile extends CountermeasureInput {
  readonly match_conditions?: readonly ConditionOfFile[];
  readonly categories?: readonly string[];
  readonly verification_coverage?: readonly string[];
}

/** Finds the weaknesses and phases that all rows refer to, by one query for each. */
async function resolve(
  em: EntityManager,
  actor: Actor,
  rows: readonly ItemRow<CountermeasureOfFile>[],
): Promise<ResolvedItem[]> {
  const named = (field: 'problem' | 'phase') => rows.flatMap(({ input }) => input[field] ?? []);
  const weaknesses = await findIdentities(em, actor, 'weakness', named('problem'));
  const phases = await findIdentities(em, actor, 'phase', named('phase'));
  return rows.map(({ input: { problem, phase, tags } }) => {
    const weaknessId = problem === undefined ? undefined : weaknesses.get(problem);
    const phaseId = phase === undefined ? undefined : phases.get(phase);
    return {
      columns: { weakness_id: weaknessId, phase_id: phaseId, tags: tags && cleanTexts(tags) },
      errors: {
        ...(problem !== undefined && weaknessId === undefined && { problem: missing(problem) }),
        ...(phase !== undefined && phaseId === undefined && { phase: missing(phase) }),
      },
    };
  });
}

const FORM: ItemForm<CountermeasureOfFile> = {
  table: {
    kind: 'countermeasure',
    customizable: true,
    columns: {
      ...COMMON_COLUMNS,
      weakness_id: 'bigint',
      priority: 'integer',
      phase_id: 'bigint',
      tags: 'text[]',
      categories: 'text[]',
      verification_coverage: 'text[]',
    },
  },
  entity: CountermeasureVersion,
  defaults: () => ({ tags: [], categories: [], verification_coverage: [] }),
  resolve,
};

/** Makes custom countermeasures; returns their public ids. Throws `RefusedRows`. */
export const createCountermeasures = (
  em: EntityManager,
  actor: Actor,
  inputs: readonly CountermeasureInput[],
): Promise<string[]> => writeCountermeasures(em, actor, newItems(inputs));

/** Changes countermeasures: built-in ones for the actor's organization alone. Throws `RefusedRows`. */
export const updateCountermeasures = (
  em: EntityManager,
  actor: Actor,
  changed: readonly { readonly id: string; readonly changes: Partial<CountermeasureInput> }[],
): Promise<string[]> => writeCountermeasures(em, actor, changed);

/** Makes and changes countermeasures; returns their public ids. Throws `RefusedRows`. */
export const writeCountermeasures = (
  em: EntityManager,
  actor: Actor,
  writes: readonly ItemWrite<CountermeasureOfFile>[],
  options?: WriteOptions,
): Promise<string[]> => idsOf(writeItems(em, actor, FORM, writes, options));

/**
 * Deletes a custom countermeasure with all that hangs on it, and takes it out of components and projects; drops the
 * organization's version of a built-in one. Throws `NotFound`, and `Forbidden` for a built-in one without changes.
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
