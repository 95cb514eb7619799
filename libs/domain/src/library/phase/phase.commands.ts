import type { EntityManager } from '@mikro-orm/postgresql';
import { LockMode } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { activationsOf } from '../../activity/activations.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { nextNumber } from '../../kernel/id-counter.js';
import { customId, idShape, isCustomId, numberOf } from '../../kernel/item-id.js';
import { lockRule } from '../../kernel/lock.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { Forbidden, Invalid, NotFound } from '../../kernel/domain-errors.js';
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

interface Neighbour {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly ordinal: number;
}

/** Names and slugs are given by one at a time. */
export const lockPhases = (em: EntityManager, actor: Actor): Promise<void> =>
  lockRule(em, 'phases', actor.organizationId);

/**
 * The phases that the organization sees. Changes of its phases run in sequence, so that names and slugs stay
 * unique in its view, which built-in and own phases share.
 */
async function phasesInView(em: EntityManager, actor: Actor): Promise<Neighbour[]> {
  await lockPhases(em, actor);
  const { rows } = await sql<Neighbour>`
    SELECT id::int, name, slug, ordinal FROM phase
    WHERE ${builtInOrCustom('phase', { organization: actor.organizationId })}`.execute(em.getKysely());
  return rows;
}

function claimName(phases: readonly Neighbour[], name: string, phaseId = 0): void {
  const wanted = name.toLowerCase();
  if (phases.some((phase) => phase.name.toLowerCase() === wanted && phase.id !== phaseId))
    throw new Invalid({ name: [NAME_TAKEN] });
}

const nextOrdinal = (phases: readonly Neighbour[]): number =>
  Math.min(Math.max(0, ...phases.map(({ ordinal }) => ordinal)) + 1, PHASE_ORDINAL.maximum);

/** Makes a custom phase, the last one where no place is given; returns its public id. Throws `Invalid`. */
export async function createPhase(em: EntityManager, actor: Actor, input: PhaseInput): Promise<string> {
  const phases = await phasesInView(em, actor);
  claimName(phases, input.name);
  const number = await nextNumber(em, actor, 'phase');
  const id = customId('phase', number);
  em.create(Phase, {
    organizationId: actor.organizationId,
    number,
    name: input.name,
    slug: freeSlug(new Set(phases.map(({ slug }) => slug)), input.name, id.toLowerCase()),
    description: input.description ?? '',
    tip: input.tip ?? '',
    ordinal: input.ordinal ?? nextOrdinal(phases),
    active: input.active ?? true,
    retain: input.retain ?? false,
  });
  await em.flush();
  await recordActivity(em, actor, { subject: 'phase', verb: 'Created', id, title: input.name });
  return id;
}

/** A custom phase that is to be changed or deleted. Throws `NotFound`, and `Forbidden` for one that ships. */
async function customPhase(em: EntityManager, actor: Actor, id: string): Promise<Phase> {
  if (!idShape('phase').test(id)) throw new NotFound();
  const organizationId = isCustomId(id) ? actor.organizationId : null;
  const where = { organizationId, number: numberOf(id) };
  const phase = await em.findOne(Phase, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!phase) throw new NotFound();
  if (phase.organizationId === null) throw new Forbidden(FIXED_PHASE);
  return phase;
}

/** Changes a custom phase. Its slug stays, since addresses hold it. Throws `NotFound`, `Forbidden`, `Invalid`. */
export async function updatePhase(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<PhaseInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const phases = await phasesInView(em, actor);
  const phase = await customPhase(em, actor, id);
  if (changes.name !== undefined) claimName(phases, changes.name, phase.id);
  const wasActive = phase.active;
  em.assign(phase, changes);
  await em.flush();
  await recordActivity(em, actor, ...activationsOf('phase', { id, title: phase.name }, changes, wasActive));
}

/** Deletes a custom phase that nothing is due in. Throws `NotFound`, `Forbidden`, and `Invalid` where it is in use. */
export async function removePhase(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const phase = await customPhase(em, actor, id);
  await assertUnused(em, actor, phase.id);
  const title = phase.name;
  await em.remove(phase).flush();
  await recordActivity(em, actor, { subject: 'phase', verb: 'Deleted', id, title });
}
