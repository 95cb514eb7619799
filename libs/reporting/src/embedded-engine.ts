import { type Client, DatabaseError, Pool, type PoolClient } from 'pg';
import { lowerPriority } from '#platform/low-priority.js';
import {
  answerTooLarge,
  EngineUnavailable,
  type Found,
  MAXIMUM_ANSWER_BYTES,
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
  /** Whether the server's processes give way to others: only for a server on this machine. */
  readonly givesWay?: boolean;
  /** The class of its connections, where it is not the driver's own: the benchmark's measure their statements. */
  readonly Client?: typeof Client;
  /** The role that sees the views of reports and nothing else, and the setting that says whose rows they show. */
  readonly role: string;
  readonly organizationSetting: string;
}

/** Cube's compiler takes a second to load and 80 MB: what never runs a report does without it. */
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
 * Readers of values: what is neither a time nor a truth stays a text, numbers too, so that none loses digits. An answer
 * that grows too large is given up, and what follows is thrown away as it comes.
 */
function readers(): { getTypeParser(oid: number): (text: string) => Value } {
  let left = MAXIMUM_ANSWER_BYTES;
  return {
    getTypeParser: (oid) => {
      const parse = PARSERS[oid] ?? ((text: string): Value => text);
      return (text) => {
        left -= text.length + VALUE_BYTES;
        if (left < 0) throw answerTooLarge();
        return parse(text);
      };
    },
  };
}

/** As many parameters as PostgreSQL's protocol can count. */
const MAXIMUM_PARAMETERS = 65_535;

/**
 * PostgreSQL's codes, or classes of them, for what the caller asks too much of or got wrong in a way that only it
 * knows.
 */
const CALLERS_FAULTS: Readonly<Record<string, string>> = {
  '22023': 'The time zone is not known to the database.',
  '22': 'A value is not valid, or out of range.',
  '54': 'The query is too complex. Name fewer members and filters.',
};

/** Codes that mean that reports are off, where the role is taken: there is none, or no right to it. */
const NO_ROLE = new Set(['22023', '42501']);

/** Codes that mean that reports are off, where views are read: no right to them, no schema, no view. */
const NO_VIEWS = new Set(['42501', '3F000', '42P01']);

/** Codes of a database that has just no time for us: it is shutting down, or a replica had to go on. */
const LATER = new Set(['40001', '57P01', '57P02', '57P03']);
const TIMEOUT = '57014';

/** How long a report waits for a connection. */
const LONGEST_WAIT_SECONDS = 10;

/**
 * How a session plans and writes times. Reports read much of what they join, in memory where it fits, and estimates
 * behind barriers are poor: one loop within another never ends. What is counted apart is sorted within each group,
 * where it is a number, and not along with the texts of the groups.
 */
export const SESSION_OPTIONS =
  '-c enable_nestloop=off -c enable_presorted_aggregate=off -c work_mem=64MB -c TimeZone=UTC -c jit=off';

/** Runs queries on PostgreSQL itself, as a role that sees nothing but the organization's rows. */
export class EmbeddedEngine implements ReportEngine {
  private readonly pool: Pool;

  constructor(private readonly options: EmbeddedEngineOptions) {
    this.pool = new Pool({
      connectionString: options.url,
      max: options.poolSize,
      connectionTimeoutMillis: Math.min(LONGEST_WAIT_SECONDS, options.timeoutSeconds) * 1000,
      application_name: 'merlon reports',
      // The pool awaits what this returns, though its types do not say so.
      // oxlint-disable-next-line typescript/no-misused-promises
      ...(options.givesWay && { onConnect: lowerPriority }),
      Client: options.Client,
      options: `${SESSION_OPTIONS} -c statement_timeout=${options.timeoutSeconds}s -c default_transaction_read_only=on`,
    });
    // A connection that is lost emits an error, on the pool while it is idle and on itself while it works. An error
    // without a listener would end the process.
    this.pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  }

  async prepare(): Promise<void> {
    const compiler = await loadCompiler();
    await compiler.prepare();
  }

  async load(query: ReportQuery, organization: number): Promise<Found> {
    const { rows, total, members } = await compile(query);
    return this.asOrganization(organization, async (client) => {
      const found = await client.query<Value[]>({ ...statementOf(rows), types: readers() });
      const columns = namesByColumn(found.fields.map(({ name }) => members[name] ?? name));
      const counted = total && (await client.query<[string]>(statementOf(total)));
      return {
        rows: found.rows.slice(0, query.limit).map((row) => keyed(columns, row)),
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
    const client = await this.connect();
    try {
      await this.begin(client, organization);
      const result = await work(client).catch((error: unknown) => {
        throw translated(error);
      });
      void this.commit(client);
      return result;
    } catch (error) {
      // What a failed transaction leaves behind is of no use: the connection goes with it.
      client.release(true);
      throw error;
    }
  }

  /** Ends a transaction. Nothing waits for it: what one that only reads has read stands. */
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
      throw new EngineUnavailable('The database of reports is out of reach.', { cause: error });
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

/** A statement as the driver takes it. Throws `QueryFailed` where it has more parameters than can be sent. */
function statementOf({ text, values }: Statement): { text: string; values: unknown[]; rowMode: 'array' } {
  if (values.length > MAXIMUM_PARAMETERS) throw new QueryFailed('The filters have too many values for this query.');
  return { text, values: [...values], rowMode: 'array' };
}

function translated(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const { code = '' } = error;
  if (code === TIMEOUT) return tooLong(error);
  const words = CALLERS_FAULTS[code] ?? CALLERS_FAULTS[code.slice(0, 2)];
  if (words !== undefined) return new QueryFailed(words, { cause: error });
  if (LATER.has(code)) return new EngineUnavailable('The database of reports is not ready.', { cause: error });
  return NO_VIEWS.has(code) ? new EngineUnavailable('Reports are off.', { cause: error }) : error;
}

/**
 * Names that each column's values stand under: a time with a granularity stands under its own name too, the first one.
 */
function namesByColumn(names: readonly string[]): (readonly string[])[] {
  const taken = new Set(names);
  return names.map((name) => {
    const [cube, member, granularity] = name.split('.');
    const plain = `${cube}.${member}`;
    if (granularity === undefined || taken.has(plain)) return [name];
    taken.add(plain);
    return [name, plain];
  });
}

/** A row by the names of its columns. */
function keyed(columns: readonly (readonly string[])[], values: readonly Value[]): Record<string, Value> {
  const row: Record<string, Value> = {};
  for (const [place, names] of columns.entries()) for (const name of names) row[name] = values[place] ?? null;
  return row;
}
