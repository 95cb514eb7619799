import { sql } from 'kysely';
import { Client } from 'pg';

const PREPARED = '/* prepared */';
const REPEATED = '/* repeated */';

/**
 * Marks a statement whose plan is worth caching because it is the same for all parameters, such as a read by key.
 * Planning such a statement takes longer than running it.
 */
export const prepared = sql.raw(PREPARED);

/**
 * Marks a statement whose text depends on the request, such as a list. It is prepared once the same text has been used
 * several times; PostgreSQL then decides by cost whether one generic plan serves for all parameters.
 */
export const repeated = sql.raw(REPEATED);

interface StatementCache {
  readonly mark: string;
  /** Prefix of the statements' names. */
  readonly prefix: string;
  /**
   * Maximum number of prepared statements: each one takes up to half a megabyte of the database's memory per
   * connection.
   */
  readonly maximum: number;
  /** Number of uses after which a text is prepared. */
  readonly minimumUses: number;
}

const CACHES: readonly StatementCache[] = [
  { mark: PREPARED, prefix: 'merlon', maximum: 64, minimumUses: 1 },
  { mark: REPEATED, prefix: 'merlon_list', maximum: 24, minimumUses: 5 },
];
/** Number of texts whose uses are counted. */
const MAX_COUNTED_TEXTS = 100;

/** Assigns names to the statements with one mark. A text keeps its name once it has one. */
class StatementNames {
  private readonly names = new Map<string, string>();
  /** Use counts of texts without a name, least recently used first. */
  private readonly uses = new Map<string, number>();

  constructor(private readonly cache: StatementCache) {}

  isMarked(text: string): boolean {
    return text.startsWith(this.cache.mark);
  }

  /** The name for a text; undefined if it is not to be prepared. */
  nameOf(text: string): string | undefined {
    const existing = this.names.get(text);
    if (existing || this.names.size === this.cache.maximum || !this.isFrequent(text)) return existing;
    const name = `${this.cache.prefix}_${this.names.size + 1}`;
    this.names.set(text, name);
    return name;
  }

  private isFrequent(text: string): boolean {
    const uses = (this.uses.get(text) ?? 0) + 1;
    this.uses.delete(text);
    if (uses >= this.cache.minimumUses) return true;
    this.uses.set(text, uses);
    const [oldest] = this.uses.keys();
    if (this.uses.size > MAX_COUNTED_TEXTS && oldest !== undefined) this.uses.delete(oldest);
    return false;
  }
}

const ENDS_TRANSACTION = new Set(['commit', 'rollback']);

/** Matches the statement with which MikroORM sets the role of a transaction. */
const SETS_ROLE = /^select set_config\('role', '(\w+)', true\)/;

/** The role of a connection after a statement, as a suffix for names. A role lasts until its transaction ends. */
function roleAfter(text: string, before: string): string {
  if (ENDS_TRANSACTION.has(text)) return '';
  const role = SETS_ROLE.exec(text)?.[1];
  return role === undefined ? before : `_${role}`;
}

/**
 * Creates a client class that prepares marked statements by naming them. The clients of one pool share the names.
 *
 * @returns the class, for a pool's option `Client`
 */
export function clientWithPreparedStatements(): typeof Client {
  const statementNames = CACHES.map((cache) => new StatementNames(cache));
  const nameOf = (text: string): string | undefined =>
    statementNames.find((names) => names.isMarked(text))?.nameOf(text);
  return class PreparedStatementClient extends Client {
    /**
     * The role of the current transaction, if any. Row-level security policies lead to different plans for each role.
     */
    private role = '';

    // Accepts and returns the same as each overload of the driver's method; `never` is assignable to all of them.
    override query(...args: unknown[]): never {
      const [text, values, ...rest] = args;
      const name = typeof text === 'string' ? nameOf(text) : undefined;
      if (typeof text === 'string' && !name) this.role = roleAfter(text, this.role);
      const query = super.query.bind(this) as (...parameters: unknown[]) => never;
      return name ? query({ name: `${name}${this.role}`, text, values }, ...rest) : query(...args);
    }
  };
}
