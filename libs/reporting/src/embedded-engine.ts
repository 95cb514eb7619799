import { DatabaseError, Pool, type PoolClient } from 'pg';
import { EngineUnavailable, type Found, QueryFailed, type ReportEngine, type Statement, type Value } from './engine.js';
import type { ReportQuery } from './query.js';
import type { CompiledQuery } from './sql-compiler.js';

export interface EmbeddedEngineOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly timeoutSeconds: number;
  /** The role that sees the views of reports and nothing else, and the setting that says whose rows they show. */
  readonly role: string;
  readonly organizationSetting: string;
}

/** Cube's compiler takes a second to load and 80 MB: who runs no report does without it. */
async function compile(query: ReportQuery): Promise<CompiledQuery> {
  const { compile: compileQuery } = await import('./sql-compiler.js');
  return compileQuery(query);
}

const BOOLEAN = 16;
const TIMESTAMP = 1114;
const TIMESTAMP_WITH_ZONE = 1184;

/** `2026-01-01 00:00:00.5+00` → `2026-01-01T00:00:00.500`; sessions are in UTC. */
const writeTime = (text: string): string => {
  const [seconds = '', fraction = ''] = text.replace(/\+00$/, '').replace(' ', 'T').split('.');
  return `${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`;
};

const PARSERS: Readonly<Record<number, (text: string) => Value>> = {
  [BOOLEAN]: (text) => text === 't',
  [TIMESTAMP]: writeTime,
  [TIMESTAMP_WITH_ZONE]: writeTime,
};

/** Everything else is a text, numbers too: none loses digits. */
const types = { getTypeParser: (oid: number) => PARSERS[oid] ?? ((text: string) => text) };

/** PostgreSQL's codes for queries that ask for too much, or for what only it knows not to be there. */
const CALLERS_FAULTS: Readonly<Record<string, string>> = {
  '57014': 'The query takes too long. Ask for less: fewer dimensions, a shorter time.',
  '22023': 'The time zone is not known to the database.',
  '22003': 'A number is out of range.',
  '22008': 'A date is out of range.',
};

/** Codes that mean that reports are off: no role, no right to it, no views. */
const OFF = new Set(['42501', '22023', '3F000', '42P01']);

/** Runs queries on PostgreSQL itself, as a role that sees nothing but the organization's rows. */
export class EmbeddedEngine implements ReportEngine {
  private readonly pool: Pool;

  constructor(private readonly options: EmbeddedEngineOptions) {
    this.pool = new Pool({
      connectionString: options.url,
      max: options.poolSize,
      connectionTimeoutMillis: 10_000,
      application_name: 'merlon reports',
      // Reports read much of what they join, and estimates behind barriers are poor: one loop within another never ends.
      options: `-c enable_nestloop=off -c TimeZone=UTC -c statement_timeout=${options.timeoutSeconds}s -c default_transaction_read_only=on -c jit=off`,
    });
    // A connection that is lost while it is idle is made anew when it is needed.
    this.pool.on('error', () => undefined);
  }

  async load(query: ReportQuery, organization: number): Promise<Found> {
    const { rows, total, members } = await compile(query);
    return this.asOrganization(organization, async (client) => {
      const found = await client.query<Value[]>({ text: rows.text, values: [...rows.values], rowMode: 'array', types });
      const names = found.fields.map(({ name }) => members[name] ?? name);
      const counted =
        total && (await client.query<[string]>({ text: total.text, values: [...total.values], rowMode: 'array' }));
      return {
        rows: found.rows.slice(0, query.limit).map((row) => keyed(names, row)),
        truncated: found.rows.length > query.limit,
        ...(counted && { total: Number(counted.rows[0]?.[0] ?? 0) }),
        refreshed: new Date(),
      };
    });
  }

  async sql(query: ReportQuery): Promise<Statement> {
    return (await compile(query)).rows;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async asOrganization<T>(organization: number, work: (client: PoolClient) => Promise<T>): Promise<T> {
    if (!Number.isSafeInteger(organization)) throw new Error('An organization has a number.');
    const client = await this.pool.connect().catch((error: unknown) => {
      throw new EngineUnavailable('The database of reports is out of reach.', { cause: error });
    });
    try {
      await this.begin(client, organization);
      const result = await work(client).catch((error: unknown) => {
        throw translated(error);
      });
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      // What a failed transaction leaves behind is of no use: the connection goes with it.
      client.release(true);
      throw error;
    }
  }

  private async begin(client: PoolClient, organization: number): Promise<void> {
    const { role, organizationSetting } = this.options;
    try {
      await client.query(
        `BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
         SET LOCAL ${organizationSetting} = '${organization}'; SET LOCAL ROLE ${role}`,
      );
    } catch (error) {
      if (error instanceof DatabaseError && OFF.has(error.code ?? ''))
        throw new EngineUnavailable('Reports are off: the database has no role for them.', { cause: error });
      throw error;
    }
  }
}

function translated(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const words = CALLERS_FAULTS[error.code ?? ''];
  if (words !== undefined) return new QueryFailed(words, { cause: error });
  return OFF.has(error.code ?? '') ? new EngineUnavailable('Reports are off.', { cause: error }) : error;
}

/** A row by the names of its members; a time stands under its own name too. */
function keyed(names: readonly string[], values: readonly Value[]): Record<string, Value> {
  const row: Record<string, Value> = {};
  for (const [place, name] of names.entries()) {
    const value = values[place] ?? null;
    row[name] = value;
    const [cube, member, granularity] = name.split('.');
    if (granularity !== undefined && !(`${cube}.${member}` in row)) row[`${cube}.${member}`] = value;
  }
  return row;
}
