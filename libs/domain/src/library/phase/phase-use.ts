import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { raise } from '../../kernel/domain-events.js';
import { type PhaseUse, phaseUsesRequested, type RemovedPhase } from '../events/library.events.js';

/** Maximum number of ids in the message. */
const MAX_LISTED_IDS = 10;

const phrase = ({ words, ids }: PhaseUse): string =>
  `${ids.length} ${words}${ids.length === 1 ? '' : 's'} ` +
  `(${ids.slice(0, MAX_LISTED_IDS).join(', ')}${ids.length > MAX_LISTED_IDS ? ', …' : ''})`;

/** Throws `Invalid`, listing the uses, if the phase is in use. */
export async function assertUnused(em: EntityManager, actor: Actor, phase: RemovedPhase): Promise<void> {
  const uses = await raise(em, actor, phaseUsesRequested, phase);
  const users = uses.filter(({ ids }) => ids.length).map(phrase);
  if (!users.length) return;
  throw new Invalid({
    non_field_errors: [`This phase is in use by ${users.join(' and ')}. Assign them another one first.`],
  });
}
