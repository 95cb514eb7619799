import { type Client, DatabaseError, Pool, type PoolClient } from 'pg';
import { lowerPriority } from '#platform/low-priority.js';
import { codeConnectionErrors } from '#platform/database/service-failures.js';
import {
  type Charge,
  resultTooLarge,
  EngineUnavailable,
  type QueryResult,
  MAX_RESULT_BYTES,
  QueryFailed,
  type ReportEngine,
  type Statement,
  tooLong,
  type Value,
  VALUE_BYTES,
} from './engine.js';
import type { ReportQuery } from './query.js';
import type { CompiledQuery } from './sql-compiler.js';

export interface EmbeddedEngineOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly timeoutSeconds: number;
  /** Whether to lower the priority of the server's processes: only if the server is on this machine. */
  readonly lowersPriority?: boolean;
  /** Class of the pool's connections; benchmarks use one that measures statements. */
  readonly Client?: typeof Client;
  /** The role that can read reporting views only, and the setting that selects the organization. */
  readonly role: string;
  readonly organizationSetting: string;
}

/** Cube's compiler takes a second and 80 MB to load, so processes without reports never load it. */
const loadCompiler = () => import('./sql-compiler.js');

async function compile(query: ReportQuery): Promise<CompiledQuery> {
  const compiler = await loadCompiler();
  return compiler.compile(query);
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

/**
 * Parsers of values: times and booleans are converted; everything else, including numbers, stays a text, so that no
 * digit is lost. Once the result exceeds the size limit, the remaining values are discarded.
 */
function typeParsers(charge: Charge | undefined): { getTypeParser(oid: number): (text: string) => Value } {
  let left = MAX_RESULT_BYTES;
  return {
    getTypeParser: (oid) => {
      const parse = PARSERS[oid] ?? ((text: string): Value => text);
      return (text) => {
        const bytes = text.length + VALUE_BYTES;
        left -= bytes;
        if (left < 0) throw resultTooLarge();
        charge?.(bytes);
        return parse(text);
      };
    },
  };
}

/** Maximum number of parameters in PostgreSQL's protocol. */
const MAX_PARAMETERS = 65_535;

/** PostgreSQL's error codes, or classes of codes, that are the caller's fault and that only the database can detect. */
const CALLER_ERRORS: Readonly<Record<string, string>> = {
  '22023': 'The database does not know the time zone.',
  '22': 'A value is invalid or out of range.',
  '54': 'The query is too complex. Use fewer members and filters.',
};

/** Error codes of SET ROLE that mean that reports are off: the role does not exist, or this user may not use it. */
const NO_ROLE = new Set(['22023', '42501']);

/** Error codes of a query that mean that reports are off: no permission, no schema or no view. */
const NO_VIEWS = new Set(['42501', '3F000', '42P01']);

/** Error codes of a database that is temporarily unavailable: it is shutting down, or a replica cancelled the query. */
const TEMPORARY_ERRORS = new Set(['40001', '57P01', '57P02', '57P03']);
const TIMEOUT = '57014';

/** How long a report waits for a connection. */
const MAX_WAIT_SECONDS = 10;

/**
 * Planner settings of a session. Reports join most of the rows they read, and PostgreSQL estimates rows behind security
 * barriers poorly, so nested loops can take for ever. Presorting for DISTINCT aggregates would sort the groups' texts
 * as well, instead of only the numbers that are counted.
 */
export const SESSION_OPTIONS =
  '-c enable_nestloop=off -c enable_presorted_aggregate=off -c work_mem=64MB -c TimeZone=UTC -c jit=off';

/** Runs queries on Merlon's PostgreSQL, as a role that sees only the organization's rows. */
export class EmbeddedEngine implements ReportEngine {
  private readonly pool: Pool;

  constructor(private readonly options: EmbeddedEngineOptions) {
    this.pool = new Pool({
      connectionString: options.url,
      max: options.poolSize,
      connectionTimeoutMillis: Math.min(MAX_WAIT_SECONDS, options.timeoutSeconds) * 1000,
      application_name: 'merlon reports',
      // The pool awaits what this returns, although its types do not say so.
      // oxlint-disable-next-line typescript/no-misused-promises
      ...(options.lowersPriority && { onConnect: lowerPriority }),
      Client: options.Client,
      options: `${SESSION_OPTIONS} -c statement_timeout=${options.timeoutSeconds}s -c default_transaction_read_only=on`,
    });
    codeConnectionErrors(this.pool);
    // A lost connection emits an error on the pool while it is idle, and on itself while it is in use. Without a
    // listener, the error would end the process.
    this.pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  }

  async prepare(): Promise<void> {
    const compiler = await loadCompiler();
    await compiler.prepare();
  }

  async load(query: ReportQuery, organization: number, charge?: Charge): Promise<QueryResult> {
    const { rows, total, members } = await compile(query);
    return this.asOrganization(organization, async (client) => {
      const result = await client.query<Value[]>({ ...statementOf(rows), types: typeParsers(charge) });
      const columns = namesByColumn(result.fields.map(({ name }) => members[name] ?? name));
      const counted = total && (await client.query<[string]>(statementOf(total)));
      return {
        rows: result.rows.slice(0, query.limit).map((row) => rowAsObject(columns, row)),
        truncated: result.rows.length > query.limit,
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
    if (!Number.isSafeInteger(organization)) throw new Error('The organization is not a number.');
    const client = await this.connect();
    try {
      await this.begin(client, organization);
      const result = await work(client).catch((error: unknown) => {
        throw translated(error);
      });
      void this.commit(client);
      return result;
    } catch (error) {
      // A connection with a failed transaction is closed instead of being reused.
      client.release(true);
      throw error;
    }
  }

  /** Ends a read-only transaction. The caller does not wait: its result is final. */
  private async commit(client: PoolClient): Promise<void> {
    const isLost = await client.query('COMMIT').then(
      () => false,
      () => true,
    );
    client.release(isLost);
  }

  private async connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw new EngineUnavailable('The database for reports cannot be reached.', { cause: error });
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
      if (error instanceof DatabaseError && NO_ROLE.has(error.code ?? ''))
        throw new EngineUnavailable('Reports are off: the database has no role for them.', { cause: error });
      throw error;
    }
  }
}

/** The statement in the driver's format. Throws `QueryFailed` if it has too many parameters. */
function statementOf({ text, values }: Statement): { text: string; values: unknown[]; rowMode: 'array' } {
  if (values.length > MAX_PARAMETERS) throw new QueryFailed('The filters have too many values for this query.');
  return { text, values: [...values], rowMode: 'array' };
}

function translated(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const { code = '' } = error;
  if (code === TIMEOUT) return tooLong(error);
  const message = CALLER_ERRORS[code] ?? CALLER_ERRORS[code.slice(0, 2)];
  if (message !== undefined) return new QueryFailed(message, { cause: error });
  if (TEMPORARY_ERRORS.has(code))
    return new EngineUnavailable('The database for reports is not ready.', { cause: error });
  return NO_VIEWS.has(code) ? new EngineUnavailable('Reports are off.', { cause: error }) : error;
}

/** The keys of each column's value: its name, and for the first granularity of a time also the name without it. */
function namesByColumn(names: readonly string[]): (readonly string[])[] {
  const usedKeys = new Set(names);
  return names.map((name) => {
    const [cube, member, granularity] = name.split('.');
    const plain = `${cube}.${member}`;
    if (granularity === undefined || usedKeys.has(plain)) return [name];
    usedKeys.add(plain);
    return [name, plain];
  });
}

/** A row as an object, keyed by column names. */
function rowAsObject(columns: readonly (readonly string[])[], values: readonly Value[]): Record<string, Value> {
  const row: Record<string, Value> = {};
  for (const [index, names] of columns.entries()) for (const name of names) row[name] = values[index] ?? null;
  return row;
}
