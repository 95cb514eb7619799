import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { assertCapability, type FoundProject } from '../project-access/find-project.js';
import { changeCountermeasures } from './change.commands.js';
import { findCountermeasures } from './find-countermeasure.js';
import type { VERIFICATION_STATUSES } from './project-countermeasure.rules.js';

export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** The status before and after, by what the verification says now. Other statuses are decisions of people. */
const MOVES = [
  { passes: true, from: 'TS2', to: 'TS1', words: 'passes' },
  { passes: false, from: 'TS1', to: 'TS2', words: 'no longer passes' },
] as const;

/**
 * Completes countermeasures whose verification passes now, and reopens those whose verification does not. Only a change
 * of the verification changes a status, so that a decision of a person lasts until then. Throws `Forbidden`.
 *
 * @param before the verification status of countermeasures before the change, by internal id
 * @param system what has verified them
 */
export async function followVerification(
  em: EntityManager,
  actor: Actor,
  project: FoundProject,
  before: ReadonlyMap<number, VerificationStatus>,
  system: string,
): Promise<void> {
  assertCapability(project, 'status');
  const { rows } = await sql<{ identity: number; now: VerificationStatus }>`
    SELECT id AS identity, verification_status AS now FROM project_countermeasure
    WHERE id = ANY(${[...before.keys()]}::bigint[]) AND verification_status <> 'none'`.execute(em.getKysely());
  const hasChanged = (identity: number, passes: boolean): boolean => {
    const previous = before.get(identity);
    return previous === 'none' || (previous === 'pass') !== passes;
  };
  for (const { passes, from, to, words } of MOVES) {
    const ids = rows
      .filter(({ identity, now }) => (now === 'pass') === passes && hasChanged(identity, passes))
      .map(({ identity }) => identity);
    if (!ids.length) continue;
    const found = await findCountermeasures(em, actor.organizationId, project, sql`item.id = ANY(${ids}::bigint[])`);
    const moving = found.filter(({ status }) => status.itemId === from);
    const change = { status: to, status_note: `The verification by ${system} ${words}.` };
    if (moving.length) await changeCountermeasures(em, actor, project, moving, change);
  }
}
