import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { tables } from '../../kernel/tables.js';
import type { PhaseUse, RemovedPhase } from '../events/library.events.js';
import { CountermeasureVersion } from './countermeasure.entity.js';

/** The countermeasures that are due in a phase which is about to be deleted. */
export async function libraryCountermeasuresInPhase(
  em: EntityManager,
  actor: Actor,
  { identity }: RemovedPhase,
): Promise<PhaseUse> {
  const countermeasures = await tables(em, CountermeasureVersion)
    .selectFrom('countermeasure_version')
    .select('item_id')
    .where('organization_id', '=', actor.organizationId)
    .where('phase_id', '=', identity)
    .orderBy('is_custom')
    .orderBy('number')
    .execute();
  return { words: 'countermeasure', ids: countermeasures.map((item) => item.item_id) };
}
