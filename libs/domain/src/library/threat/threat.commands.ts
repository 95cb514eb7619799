import type { EntityManager } from '@mikro-orm/postgresql';
import { restorationOf } from '../../activity/activations.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { newItems } from '../../kernel/item-write.js';
import { deleteIdentity, restore, versionToRemove } from '../customization/customization.commands.js';
import { itemCommand, type ItemForm } from '../item-batch/write-items.js';
import { ThreatVersion } from './threat.entity.js';
import { resolveThreatReferences } from './threat.references.js';
import type { ThreatInput } from './threat.fields.js';

const FORM: ItemForm<ThreatInput> = {
  table: {
    kind: 'threat',
    entity: ThreatVersion,
  },
  references: { problems: { kind: 'weakness', column: 'problems' } },
  resolve: (em, _actor, rows) =>
    resolveThreatReferences(
      em,
      rows.map(({ input }) => input),
    ),
};

/** Makes custom threats; returns their public ids. Throws `RefusedRows`. */
export const createThreats = (em: EntityManager, actor: Actor, inputs: readonly ThreatInput[]): Promise<string[]> =>
  writeThreats(em, actor, newItems(inputs));

/**
 * Makes and changes threats: built-in ones for the actor's organization alone; returns their public ids. Throws
 * `RefusedRows`.
 */
export const writeThreats = itemCommand(FORM);

/**
 * Deletes a custom threat with all that hangs on it; drops the organization's version of a built-in one. Throws
 * `NotFound`, and `Forbidden` for a built-in one without changes.
 */
export async function removeThreat(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const version = await versionToRemove(em, actor, 'threat', id);
  if (!version.isCustom) {
    const original = await restore(em, 'threat', version);
    return recordActivity(em, actor, ...restorationOf('threat', { id }, version, original));
  }
  await deleteIdentity(em, 'threat', version.identity);
  return recordActivity(em, actor, { subject: 'threat', verb: 'Deleted', id, title: version.title });
}
