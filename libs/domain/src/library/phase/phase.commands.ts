import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { Forbidden, NotFound } from '../../kernel/domain-errors.js';
import { idShape, isCustomId, numberOf } from '../../kernel/item-id.js';
import { newItems } from '../../kernel/item-write.js';
import { freeSlug } from '../../kernel/slug.js';
import { lockNames, nameErrors } from '../item-batch/unique-names.js';
import { itemCommand, type ItemCommand, type ItemForm } from '../item-batch/write-items.js';
import { Phase } from './phase.entity.js';
import { FIXED_PHASE, PHASE_ORDINAL } from './phase.rules.js';
import { assertUnused } from './phase-use.js';
import type { PhaseInput, PhaseOfFile } from './phase.fields.js';

const FORM: ItemForm<PhaseOfFile> = {
  table: {
    kind: 'phase',
    entity: Phase,
  },
  title: 'name',
  places: { maximum: PHASE_ORDINAL.maximum },
  builtIn: FIXED_PHASE,
  // Of files, the import looks at all rows together.
  resolve: async (em, actor, rows, { fromFile = false }) => {
    const claims = rows.map(({ write, input }) => ({ ...('id' in write && { id: write.id }), name: input.name }));
    return fromFile ? [] : (await nameErrors(em, actor, 'phase', claims)).map((errors) => ({ errors }));
  },
};

/** Makes custom phases; returns their public ids. Throws `RefusedRows`. */
export const createPhases = (em: EntityManager, actor: Actor, inputs: readonly PhaseInput[]): Promise<string[]> =>
  writePhases(em, actor, newItems(inputs));

/**
 * Makes and changes custom phases; returns their public ids. New ones are the last where no place is given. Slugs stay,
 * since addresses hold them. Throws `RefusedRows`.
 *
 * Changes of an organization's phases run in sequence, so that names and slugs stay unique in its view, which built-in
 * and custom phases share.
 */
export const writePhases: ItemCommand<PhaseOfFile> = async (em, actor, writes, options = {}) => {
  await lockNames(em, actor, 'phase');
  const { rows: phases } = await sql<{ slug: string }>`
    SELECT slug FROM phase WHERE ${builtInOrCustom('phase', { organization: actor.organizationId })}`.execute(
    em.getKysely(),
  );
  const slugs = new Set(phases.map(({ slug }) => slug));
  const defaults = ({ name, slug: given }: PhaseOfFile, id: string) => {
    const slug = given ?? freeSlug(slugs, name, id.toLowerCase());
    slugs.add(slug);
    return { slug };
  };
  return itemCommand({ ...FORM, defaults })(em, actor, writes, options);
};

/** A custom phase that is to be deleted. Throws `NotFound`, and `Forbidden` for one that ships. */
async function customPhase(em: EntityManager, actor: Actor, id: string): Promise<Phase> {
  if (!idShape('phase').test(id)) throw new NotFound();
  const organizationId = isCustomId(id) ? actor.organizationId : null;
  const where = { organizationId, number: numberOf(id) };
  const phase = await em.findOne(Phase, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!phase) throw new NotFound();
  if (phase.organizationId === null) throw new Forbidden(FIXED_PHASE);
  return phase;
}

/** Deletes a custom phase that nothing is due in. Throws `NotFound`, `Forbidden`, and `Invalid` where it is in use. */
export async function removePhase(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const phase = await customPhase(em, actor, id);
  await assertUnused(em, actor, phase.id);
  const title = phase.name;
  await em.remove(phase).flush();
  await recordActivity(em, actor, { subject: 'phase', verb: 'Deleted', id, title });
}
