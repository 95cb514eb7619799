import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { removeItem } from '../customization/customization.commands.js';
import type { ItemForm } from '../item-batch/item-form.js';
import { creating, itemCommand } from '../item-batch/write-items.js';
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

/**
 * Creates and changes threats: built-in ones only for the actor's organization; returns their public ids. Throws
 * `RejectedRows`.
 */
export const writeThreats = itemCommand(FORM);

/** Creates custom threats; returns their public ids. Throws `RejectedRows`. */
export const createThreats = creating<ThreatInput>(writeThreats);

/**
 * Deletes a custom threat with its dependents; drops the organization's version of a built-in one. Throws `NotFound`,
 * and `Forbidden` for an unchanged built-in one.
 */
export const removeThreat = (em: EntityManager, actor: Actor, id: string): Promise<void> =>
  removeItem(em, actor, 'threat', id);
