import { sql } from 'kysely';
import type { Pool, PoolClient } from 'pg';

const MARK = '/* prepared */';
/** A connection keeps this many plans, which take memory in the database; further statements are planned each time. */
const MAXIMUM = 64;

/**
 * Begins a statement that is worth keeping planned: one whose plan is the same for all parameters, as where a row is
 * read by its key. Planning such a statement takes longer than running it. Not for lists: what is the best plan for
 * them depends on what is asked.
 */
export const prepared = sql.raw(MARK);

/**
 * Makes the connections of a pool keep the plans of marked statements, by giving each text a name.
 *
 * @param pool a pool of connections, before its first use
 */
export function keepPlans(pool: Pool): void {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known || names.size === MAXIMUM) return known;
    const name = `merlon_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  pool.on('connect', (client) => {
    const shared = Object.getPrototypeOf(client) as { query: (...words: unknown[]) => unknown };
    const named = (text: unknown, values: unknown, ...rest: unknown[]): unknown => {
      const name = typeof text === 'string' && text.startsWith(MARK) ? nameOf(text) : undefined;
      return name
        ? shared.query.call(client, { name, text, values }, ...rest)
        : shared.query.call(client, text, values, ...rest);
    };
    client.query = named as PoolClient['query'];
  });
}
