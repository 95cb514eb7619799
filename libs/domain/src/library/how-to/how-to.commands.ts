import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { slugOf } from '../../kernel/fields/slug.js';
import { removePart, resolveParents } from '../countermeasure/part.commands.js';
import type { ItemForm } from '../item-batch/item-form.js';
import { creating, itemCommand } from '../item-batch/write-items.js';
import { HowToVersion } from './how-to.entity.js';
import type { HowToInput, HowToOfFile } from './how-to.fields.js';

const FORM: ItemForm<HowToOfFile> = {
  table: {
    kind: 'how_to',
    entity: HowToVersion,
    owner: 'countermeasure_id',
  },
  defaults: ({ title }, id) => ({ slug: slugOf(title, id.toLowerCase()) }),
  resolve: (em, actor, rows) => resolveParents(em, actor, 'how_to', rows),
};

/**
 * Creates and changes how-tos: built-in ones only for the actor's organization. Slugs never change. Returns their
 * public ids. Throws `RejectedRows`.
 */
export const writeHowTos = itemCommand(FORM);

/** Creates custom how-tos; returns their public ids. Throws `RejectedRows`. */
export const createHowTos = creating<HowToInput>(writeHowTos);

/** Deletes a custom how-to; drops the organization's version of a built-in one. See `removePart`. */
export const removeHowTo = (em: EntityManager, actor: Actor, countermeasureId: string, id: string): Promise<void> =>
  removePart(em, actor, 'how_to', countermeasureId, id);
