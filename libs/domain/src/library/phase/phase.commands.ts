import type { EntityManager } from '@mikro-orm/postgresql';
import { LockMode } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { activationsOf } from '../../activity/activations.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { Forbidden, Invalid, NotFound, type Refusal } from '../../kernel/domain-errors.js';
import {
  type ChangedItem,
  changeItems,
  insertItems,
  type ItemTable,
  type NewItem,
} from '../../kernel/item-batch.commands.js';
import { idShape, isCustomId, numberOf } from '../../kernel/item-id.js';
import { reserveRows } from '../../kernel/item-numbers.js';
import { changesAnything, type ItemWrite, newItems } from '../../kernel/item-write.js';
import { lockRule } from '../../kernel/lock.js';
import { refuseRows } from '../../kernel/refused-rows.js';
import { freeSlug } from '../../kernel/slug.js';
import { Phase } from './phase.entity.js';
import { FIXED_PHASE, NAME_TAKEN, PHASE_ORDINAL } from './phase.rules.js';
import { assertUnused } from './phase-use.js';

/** A custom phase as a client gives it, checked for shape. */
export interface PhaseInput {
  readonly name: string;
  readonly description?: string;
  readonly tip?: string;
  readonly ordinal?: number;
  readonly active?: boolean;
  readonly retain?: boolean;
}

/** The same as a file gives it, which has more to say. */
interface PhaseOfFile extends PhaseInput {
  readonly slug?: string;
}

const TABLE: ItemTable = {
  kind: 'phase',
  customizable: false,
  columns: {
    name: 'text',
    slug: 'text',
    description: 'text',
    tip: 'text',
    ordinal: 'integer',
    active: 'boolean',
    retain: 'boolean',
  },
};

const DEFAULTS = { description: '', tip: '', active: true, retain: false };

interface PhaseInView {
  readonly id: number;
  readonly item_id: string;
  readonly is_built_in: boolean;
  readonly name: string;
  readonly slug: string;
  readonly ordinal: number;
  readonly active: boolean;
}

/** Names and slugs are given by one at a time. */
export const lockPhases = (em: EntityManager, actor: Actor): Promise<void> =>
  lockRule(em, 'phases', actor.organizationId);

/**
 * The phases that the organization sees; those that are to be changed are locked. Changes of its phases run in
 * sequence, so that names and slugs stay unique in its view, which built-in and custom phases share.
 */
async function phasesInView(em: EntityManager, actor: Actor, changed: readonly string[]): Promise<PhaseInView[]> {
  await lockPhases(em, actor);
  if (changed.length)
    await sql`SELECT 1 FROM phase WHERE organization_id = ${actor.organizationId} AND item_id = ANY(${changed}::text[])
      ORDER BY id FOR UPDATE`.execute(em.getKysely());
  const { rows } = await sql<PhaseInView>`
    SELECT id, item_id, organization_id IS NULL AS is_built_in, name, slug, ordinal, active FROM phase
    WHERE ${builtInOrCustom('phase', { organization: actor.organizationId })}`.execute(em.getKysely());
  return rows;
}

/** Why each row is refused; undefined where it is sound. Of several rows with one name, the first one has it. */
function refusalsOf(
  writes: readonly ItemWrite<PhaseOfFile>[],
  phases: ReadonlyMap<string, PhaseInView>,
): (Refusal | undefined)[] {
  const renamed = new Set(
    writes.flatMap((write) => ('id' in write && write.changes.name !== undefined ? write.id : [])),
  );
  const taken = new Set(
    [...phases.values()].flatMap(({ item_id: id, name }) => (renamed.has(id) ? [] : name.toLowerCase())),
  );
  return writes.map((write) => {
    const phase = 'id' in write ? phases.get(write.id) : undefined;
    if ('id' in write && !phase) return new NotFound();
    if (phase?.is_built_in) return new Forbidden(FIXED_PHASE);
    const name = ('id' in write ? write.changes.name : write.input.name)?.toLowerCase();
    if (name === undefined) return undefined;
    if (taken.has(name)) return new Invalid({ name: [NAME_TAKEN] });
    taken.add(name);
    return undefined;
  });
}

/** Makes custom phases; returns their public ids. Throws `RefusedRows`. */
export const createPhases = (em: EntityManager, actor: Actor, inputs: readonly PhaseInput[]): Promise<string[]> =>
  writePhases(em, actor, newItems(inputs));

/**
 * Makes and changes custom phases; returns their public ids. New ones are the last where no place is given. Slugs stay,
 * since addresses hold them. Throws `RefusedRows`.
 */
export async function writePhases(
  em: EntityManager,
  actor: Actor,
  writes: readonly ItemWrite<PhaseOfFile>[],
): Promise<string[]> {
  const effective = writes.filter((write) => 'input' in write || changesAnything(write));
  const changedIds = effective.flatMap((write) => ('id' in write ? write.id : []));
  const inView = effective.length ? await phasesInView(em, actor, changedIds) : [];
  const phases = new Map(inView.map((phase) => [phase.item_id, phase]));
  refuseRows(refusalsOf(effective, phases));
  const unreserved = effective.filter((write) => 'input' in write && !write.reserved).length;
  const reserved = (await reserveRows(em, actor, 'phase', unreserved)).values();
  const slugs = new Set(inView.map(({ slug }) => slug));
  let last = Math.max(0, ...inView.map(({ ordinal }) => ordinal));
  const made: NewItem[] = [];
  const changed: ChangedItem[] = [];
  const activities: ActivityInput[] = [];
  const ids = writes.map((write) => {
    if ('id' in write) {
      const phase = phases.get(write.id);
      if (!phase) return write.id;
      const { changes, id } = write;
      changed.push({ identity: phase.id, fields: Object.keys(changes), values: { ...changes } });
      activities.push(...activationsOf('phase', { id, title: changes.name ?? phase.name }, changes, phase.active));
      return id;
    }
    const item = write.reserved ?? reserved.next().value;
    if (!item) throw new Error('An id was not taken.');
    const { name, slug = freeSlug(slugs, name, item.id.toLowerCase()) } = write.input;
    const ordinal = write.input.ordinal ?? Math.min(last + 1, PHASE_ORDINAL.maximum);
    last = Math.max(last, ordinal);
    slugs.add(slug);
    made.push({ ...item, values: { ...DEFAULTS, ...write.input, slug, ordinal } });
    activities.push({ subject: 'phase', verb: 'Created', id: item.id, title: name });
    return item.id;
  });
  if (made.length) await insertItems(em, actor, TABLE, made);
  if (changed.length) await changeItems(em, actor, TABLE, changed);
  await recordActivity(em, actor, ...activities);
  return ids;
}

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
