import { sql } from 'kysely';
import { Client } from 'pg';

const MARK = '/* prepared */';
/** A connection keeps this many plans, which take memory in the database; further statements are planned each time. */
const MAXIMUM = 64;

/**
 * Begins a statement that is worth keeping planned: one whose plan is the same for all parameters, as where a row is
 * read by its key. Planning such a statement takes longer than running it. Not for lists: what is the best plan for
 * them depends on what is asked.
 */
export const prepared = sql.raw(MARK);

const ENDS_TRANSACTION = new Set(['commit', 'rollback']);

/** A role that a transaction takes on, as MikroORM writes it for the session of an entity manager. */
const TAKES_ROLE = /^select set_config\('role', '(\w+)', true\)/;

/** The role of a connection after a statement, as an ending of names: one that a transaction has, until that ends. */
function roleAfter(text: string, before: string): string {
  if (ENDS_TRANSACTION.has(text)) return '';
  const role = TAKES_ROLE.exec(text)?.[1];
  return role === undefined ? before : `_${role}`;
}

/**
 * A kind of connection that keeps the plans of marked statements, by giving each text a name. Those of one pool share
 * the names.
 *
 * @returns the class, for a pool's option `Client`
 */
export function planKeepingClient(): typeof Client {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known || names.size === MAXIMUM) return known;
    const name = `merlon_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  return class PlanKeepingClient extends Client {
    /** The role that the transaction has taken on, if any: policies make other plans for it. */
    private role = '';

    // Takes and answers what each form of the driver's own does; `never` fits all of them.
    override query(...words: unknown[]): never {
      const [text, values, ...rest] = words;
      const name = typeof text === 'string' && text.startsWith(MARK) ? nameOf(text) : undefined;
      if (typeof text === 'string' && !name) this.role = roleAfter(text, this.role);
      const query = super.query.bind(this) as (...given: unknown[]) => never;
      return name ? query({ name: `${name}${this.role}`, text, values }, ...rest) : query(...words);
    }
  };
}
