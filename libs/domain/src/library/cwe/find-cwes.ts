import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { tables } from '../../kernel/tables.js';
import { Cwe } from './cwe.entity.js';

/** Those of the numbers that are CWEs. */
export async function findCwes(em: EntityManager, cwes: readonly number[]): Promise<ReadonlySet<number>> {
  if (!cwes.length) return new Set();
  // Unknown numbers may exceed the column's type, so the parameter is a bigint.
  const uniqueCwes = [...new Set(cwes)];
  const rows = await tables(em, Cwe)
    .selectFrom('cwe')
    .select('id')
    .where('id', '=', sql<number>`ANY(${uniqueCwes}::bigint[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
