import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { CONDITIONED_KINDS } from '../customization/customization.sql.js';
import { MAX_CONDITIONS_OF_ORGANIZATION } from './match-condition.rules.js';

/** The number of match conditions of an organization, without those of versions whose conditions are replaced. */
async function countConditions(em: EntityManager, actor: Actor, replaced: readonly number[]): Promise<number> {
  const counts = CONDITIONED_KINDS.map((kind) => {
    const version = sql.ref(`m.${kind}_version_id`);
    return sql`(SELECT count(*) FROM ${sql.table(`${kind}_version`)} v JOIN match_condition m ON ${version} = v.id
      WHERE v.organization_id = ${actor.organizationId} AND v.id <> ALL(${replaced}::bigint[]))`;
  });
  const { rows } = await sql<{ count: number }>`SELECT ${sql.join(counts, sql` + `)} AS count`.execute(em.getKysely());
  return Number(rows[0]?.count);
}

/**
 * The error of rows that would give an organization too many match conditions. Requests at the same time may exceed the
 * limit by a few: it bounds the time of calculations, not a resource.
 *
 * @param added the number of conditions that the rows have
 * @param replaced the versions of the rows, whose conditions are replaced
 */
export async function conditionLimitError(
  em: EntityManager,
  actor: Actor,
  added: number,
  replaced: readonly number[],
): Promise<string | undefined> {
  if (!added) return undefined;
  const others = await countConditions(em, actor, replaced);
  if (others + added <= MAX_CONDITIONS_OF_ORGANIZATION) return undefined;
  return (
    `An organization can have at most ${MAX_CONDITIONS_OF_ORGANIZATION} match conditions, and yours would have ` +
    `${others + added}. Combine or remove conditions.`
  );
}
