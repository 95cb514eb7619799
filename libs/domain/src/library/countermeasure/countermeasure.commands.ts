import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import { restorationOf } from '../../activity/activations.js';
import type { Actor } from '../../kernel/actor.js';
import { raise } from '../../kernel/domain-events.js';
import { cleanTexts } from '../../kernel/field-checks.js';
import { newItems } from '../../kernel/item-write.js';
import { deleteIdentity, restore, versionToRemove } from '../customization/customization.commands.js';
import { itemCommand, type ItemForm } from '../item-batch/write-items.js';
import { CountermeasureVersion } from './countermeasure.entity.js';
import { countermeasureRemoved } from './countermeasure.events.js';
import { describeRemovedParts } from './part.commands.js';
import type { CountermeasureInput, CountermeasureOfFile } from './countermeasure.fields.js';

const FORM: ItemForm<CountermeasureOfFile> = {
  table: {
    kind: 'countermeasure',
    entity: CountermeasureVersion,
  },
  references: {
    problem: { kind: 'weakness', column: 'weakness_id' },
    phase: { kind: 'phase', column: 'phase_id' },
  },
  resolve: (_em, _actor, rows) => rows.map(({ input: { tags } }) => ({ columns: { tags: tags && cleanTexts(tags) } })),
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
export const writeCountermeasures = itemCommand(FORM);

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
