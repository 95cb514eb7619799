import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { raise } from '../../kernel/domain-events.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';
import { removeItem } from '../customization/customization.commands.js';
import type { ItemForm } from '../item-batch/item-form.js';
import { creating, itemCommand } from '../item-batch/write-items.js';
import { CountermeasureVersion } from './countermeasure.entity.js';
import { countermeasureRemoved } from '../events/library.events.js';
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

/** Changes countermeasures: built-in ones only for the actor's organization. Throws `RejectedRows`. */
export const updateCountermeasures = (
  em: EntityManager,
  actor: Actor,
  changed: readonly { readonly id: string; readonly changes: Partial<CountermeasureInput> }[],
): Promise<string[]> => writeCountermeasures(em, actor, changed);

/** Creates and changes countermeasures; returns their public ids. Throws `RejectedRows`. */
export const writeCountermeasures = itemCommand(FORM);

/** Creates custom countermeasures; returns their public ids. Throws `RejectedRows`. */
export const createCountermeasures = creating<CountermeasureInput>(writeCountermeasures);

/**
 * Deletes a custom countermeasure with its dependents, and removes it from components and projects; drops the
 * organization's version of a built-in one. Throws `NotFound`, and `Forbidden` for an unchanged built-in one.
 */
export const removeCountermeasure = (em: EntityManager, actor: Actor, id: string): Promise<void> =>
  removeItem(em, actor, 'countermeasure', id, {
    removeReferences: async ({ identity, title }) => {
      const removed = { identity, id, title };
      await raise(em, actor, countermeasureRemoved, removed);
      return describeRemovedParts(em, removed);
    },
  });
