import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { slugNotIn } from '../../kernel/fields/slug.js';
import { customItemToChange } from '../../kernel/row-to-change.js';
import { tables } from '../../kernel/tables.js';
import type { ItemForm } from '../item-batch/item-form.js';
import { creating, itemCommand } from '../item-batch/write-items.js';
import { Phase } from './phase.entity.js';
import { BUILT_IN_PHASE, FIXED_PHASE, PHASE_ORDINAL, type PhaseInput, type PhaseOfFile } from './phase.fields.js';
import { assertUnused } from './phase-use.js';

const FORM: ItemForm<PhaseOfFile> = {
  table: {
    kind: 'phase',
    entity: Phase,
  },
  title: 'name',
  places: { maximum: PHASE_ORDINAL.maximum },
  builtIn: BUILT_IN_PHASE,
  // Slugs are unique like names, under the same lock.
  resolve: async (em, actor, rows) => {
    if (rows.every(({ write }) => 'id' in write)) return [];
    const slugs = await slugsInView(em, actor);
    return rows.map(({ input: { name = '', slug: requestedSlug } }) => ({
      defaults: (id) => {
        const slug = requestedSlug ?? slugNotIn(slugs, name, id.toLowerCase());
        slugs.add(slug);
        return { slug };
      },
    }));
  },
};

/** The slugs of the phases that an organization sees: a custom phase must not reuse a built-in slug. */
async function slugsInView(em: EntityManager, actor: Actor): Promise<Set<string>> {
  const phases = await tables(em, Phase)
    .selectFrom('phase')
    .select('slug')
    .where(builtInOrCustom('phase', { organization: actor.organizationId }))
    .execute();
  return new Set(phases.map(({ slug }) => slug));
}

/**
 * Creates and changes custom phases; returns their public ids. New ones without an ordinal are appended. Slugs never
 * change, because URLs contain them. Throws `RejectedRows`.
 */
export const writePhases = itemCommand(FORM);

/** Creates custom phases; returns their public ids. Throws `RejectedRows`. */
export const createPhases = creating<PhaseInput>(writePhases);

/** Deletes a custom phase that nothing is due in. Throws `NotFound`, `Forbidden`, and `Invalid` where it is in use. */
export async function removePhase(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const phase = await customItemToChange(em, actor, Phase, 'phase', id, FIXED_PHASE);
  await assertUnused(em, actor, { identity: phase.id, id });
  const title = phase.name;
  await em.remove(phase).flush();
  await recordActivity(em, actor, { subject: 'phase', verb: 'Deleted', id, title });
}
