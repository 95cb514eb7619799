import { BaseFilter, PostgresQuery, prepareCompiler } from '@cubejs-backend/schema-compiler';
import type { Statement } from './engine.js';
import { type CompilerQuery, lowerQuery } from './lower-query.js';
import { readModelFiles, reportingModel, typeOf } from './model.js';
import type { ReportQuery } from './query.js';
import { rolledUp } from './rollups.js';

/** Cube's compilers with the model loaded. */
type Compilers = ConstructorParameters<typeof PostgresQuery>[0];

const CASTS: Readonly<Record<string, string>> = { number: '?::numeric', boolean: '?::boolean', string: '?::text' };

/**
 * Casts filter values to the type that they were checked as: otherwise PostgreSQL would assume the column's type and
 * reject `1.5` for an integer.
 */
class TypedFilter extends BaseFilter {
  override castParameter(): string {
    const member: string = this.measure ?? this.dimension;
    return CASTS[typeOf(reportingModel(), member) ?? 'string'] ?? '?';
  }

  override likeOr(column: string, not: boolean, type: string): string {
    if (this.filterParams().length) return super.likeOr(column, not, type);
    return `${column} IS ${not ? 'NOT ' : ''}NULL`;
  }
}

/** Cubes with expensive views of few rows. A statement that uses one several times reads it only once. */
const READ_ONCE = new Set(['Problem', 'TaskByCountermeasure', 'TaskByProject', 'Threat']);

const rowsOf = (cube: string): string => `"rows of ${cube}"`;

/** Cube's SQL for PostgreSQL. Times are already in UTC with microseconds, so it converts nothing. */
class ReportSql extends PostgresQuery {
  private onDistinctRows = false;

  /** Joins a cube to its own distinct keys. These contain no duplicates, so counts need no further DISTINCT. */
  override aggregateSubQuery(...parameters: Parameters<PostgresQuery['aggregateSubQuery']>): string {
    this.onDistinctRows = true;
    try {
      return super.aggregateSubQuery(...parameters);
    } finally {
      this.onDistinctRows = false;
    }
  }

  override multipliedJoinRowResult(cube: string): boolean {
    return !this.onDistinctRows && super.multipliedJoinRowResult(cube);
  }

  override cubeSql(cube: string): string {
    return READ_ONCE.has(cube) ? rowsOf(cube) : String(super.cubeSql(cube));
  }

  override buildParamAnnotatedSql(): string {
    const cubes = [this.join.root, ...this.join.joins.map(({ originalTo }) => originalTo)];
    const parts = cubes
      .filter((cube) => READ_ONCE.has(cube))
      .map((cube) => `${rowsOf(cube)} AS (SELECT * FROM ${super.cubeSql(cube)})`);
    return `${parts.length ? `WITH ${parts.join(', ')} ` : ''}${super.buildParamAnnotatedSql()}`;
  }

  override newFilter(filter: unknown): BaseFilter {
    return new TypedFilter(this, filter);
  }

  override timestampPrecision(): number {
    return 6;
  }

  override inDbTimeZone(date: string): string {
    return `${date}Z`;
  }
}

/**
 * The SQL of one query: its rows, with one more than the limit to detect truncation, and the total without the limit.
 */
export interface CompiledQuery {
  readonly rows: Statement;
  readonly total?: Statement;
  /** Names of members, by name of the column. */
  readonly members: Readonly<Record<string, string>>;
}

/** Compiled once per process: it takes seconds, and the model never changes. */
let compiled: Promise<Compilers> | undefined;

const compilersOf = (): Promise<Compilers> => (compiled ??= compileModel());

/** Compiles the model in advance, so that no query has to wait for it. */
export async function prepare(): Promise<void> {
  await compilersOf();
}

/** Compiles a validated query to SQL. */
export async function compile(query: ReportQuery): Promise<CompiledQuery> {
  const compilers = await compilersOf();
  const rollup = rolledUp(query);
  const lowered = lowerQuery(rollup?.query ?? query);
  const rows = build(compilers, lowered, { rowLimit: query.limit + 1, offset: query.offset });
  return {
    rows: rows.statement,
    members: rollup ? originalNames(rows.members, rollup.nameOf) : rows.members,
    ...(query.total && { total: build(compilers, lowered, { rowLimit: null, totalQuery: true }).statement }),
  };
}

const originalNames = (
  members: CompiledQuery['members'],
  nameOf: (member: string) => string,
): CompiledQuery['members'] =>
  Object.fromEntries(Object.entries(members).map(([column, member]) => [column, nameOf(member)]));

async function compileModel(): Promise<Compilers> {
  const repository = { localPath: () => '/', dataSchemaFiles: () => Promise.resolve(readModelFiles()) };
  // Jinja templates need a native module that is not installed; the model has none.
  const nativeInstance = { newJinjaEngine: () => ({}) };
  // By default, the compiler caches ten thousand queries by their full text, of any length.
  const compilers = prepareCompiler(repository, { nativeInstance, maxQueryCacheSize: 1 } as never);
  await compilers.compiler.compile();
  return compilers as never;
}

function build(
  compilers: Compilers,
  query: CompilerQuery,
  extent: { rowLimit: number | null; offset?: number; totalQuery?: boolean },
): { statement: Statement; members: Readonly<Record<string, string>> } {
  const sql = new ReportSql(compilers, {
    ...query,
    ...extent,
    useNativeSqlPlanner: false,
    allowUngroupedWithoutPrimaryKey: true,
    convertTzForRawTimeDimension: false,
  });
  const [text, values] = sql.buildSqlAndParams();
  return { statement: { text, values }, members: sql.aliasNameToMember };
}
