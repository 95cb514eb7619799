import { sql } from 'kysely';
import { Client } from 'pg';

const PREPARED = '/* prepared */';
const REPEATED = '/* repeated */';

/**
 * Begins a statement that is worth keeping planned: one whose plan is the same for all parameters, as where a row is
 * read by its key. Planning such a statement takes longer than running it.
 */
export const prepared = sql.raw(PREPARED);

/**
 * Begins a statement whose text depends on what a client asks for, as that of a list. It is kept where the same text
 * comes again and again; PostgreSQL then decides by what its plans cost whether one serves for all parameters.
 */
export const repeated = sql.raw(REPEATED);

interface KeptStatements {
  readonly mark: string;
  /** What their names begin with. */
  readonly prefix: string;
  /** How many are kept: a connection takes up to half a megabyte of the database's memory for each. */
  readonly maximum: number;
  /** How often a text has to come before it is kept. */
  readonly uses: number;
}

const KEPT: readonly KeptStatements[] = [
  { mark: PREPARED, prefix: 'merlon', maximum: 64, uses: 1 },
  { mark: REPEATED, prefix: 'merlon_list', maximum: 24, uses: 5 },
];
/** Texts whose uses are counted. */
const COUNTED = 100;

/** Gives names to the statements of one mark. What has a name keeps it. */
class StatementNames {
  private readonly names = new Map<string, string>();
  /** How often texts without a name came, the one that came last at the end. */
  private readonly uses = new Map<string, number>();

  constructor(private readonly kept: KeptStatements) {}

  /** Whether a text has the mark. */
  takes(text: string): boolean {
    return text.startsWith(this.kept.mark);
  }

  /** The name of a text; undefined where it is not to be kept. */
  of(text: string): string | undefined {
    const known = this.names.get(text);
    if (known || this.names.size === this.kept.maximum || !this.isFrequent(text)) return known;
    const name = `${this.kept.prefix}_${this.names.size + 1}`;
    this.names.set(text, name);
    return name;
  }

  private isFrequent(text: string): boolean {
    const uses = (this.uses.get(text) ?? 0) + 1;
    this.uses.delete(text);
    if (uses >= this.kept.uses) return true;
    this.uses.set(text, uses);
    const [oldest] = this.uses.keys();
    if (this.uses.size > COUNTED && oldest !== undefined) this.uses.delete(oldest);
    return false;
  }
}

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
export function clientWithKeptPlans(): typeof Client {
  const marked = KEPT.map((kept) => new StatementNames(kept));
  const nameOf = (text: string): string | undefined => marked.find((names) => names.takes(text))?.of(text);
  return class PlanKeepingClient extends Client {
    /** The role that the transaction has taken on, if any: policies make other plans for it. */
    private role = '';

    // Takes and answers what each form of the driver's own does; `never` fits all of them.
    override query(...words: unknown[]): never {
      const [text, values, ...rest] = words;
      const name = typeof text === 'string' ? nameOf(text) : undefined;
      if (typeof text === 'string' && !name) this.role = roleAfter(text, this.role);
      const query = super.query.bind(this) as (...given: unknown[]) => never;
      return name ? query({ name: `${name}${this.role}`, text, values }, ...rest) : query(...words);
    }
  };
}
