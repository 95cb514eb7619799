import { BaseFilter, PostgresQuery, prepareCompiler } from '@cubejs-backend/schema-compiler';
import type { Statement } from './engine.js';
import { type CompilerQuery, lowerQuery } from './lower-query.js';
import { readModelFiles, reportingModel, typeOf } from './model.js';
import type { ReportQuery } from './query.js';
import { rolledUp } from './rollups.js';

/** Cube's compiler with the model in it. */
type Compilers = ConstructorParameters<typeof PostgresQuery>[0];

const CASTS: Readonly<Record<string, string>> = { number: '?::numeric', boolean: '?::boolean', string: '?::text' };

/** Filters whose values keep the type that they were checked as: PostgreSQL would take a column's, and refuse `1.5`. */
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

/**
 * Cubes whose views work out much and answer few rows: what a statement reads of them in several places, it reads once.
 */
const READ_ONCE = new Set(['Problem', 'TaskByCountermeasure', 'TaskByProject', 'Threat']);

const rowsOf = (cube: string): string => `"rows of ${cube}"`;

/** PostgreSQL's SQL. Times come in UTC and with microseconds, so nothing is converted on the way. */
class ReportSql extends PostgresQuery {
  private onDistinctRows = false;

  /**
   * Joins a cube's rows with their distinct keys: there none is there twice, and counting need not tell them apart
   * again.
   */
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

/** The SQL of one query: its rows, one more than the limit to tell whether it cuts, and their number without it. */
export interface CompiledQuery {
  readonly rows: Statement;
  readonly total?: Statement;
  /** Names of members by names of columns. */
  readonly members: Readonly<Record<string, string>>;
}

/** The model never changes while a process runs, and compiling it takes seconds: it is done once. */
let compiled: Promise<Compilers> | undefined;

const compilersOf = (): Promise<Compilers> => (compiled ??= compileModel());

/** Compiles the model, so that no query has to wait for that. */
export async function prepare(): Promise<void> {
  await compilersOf();
}

/** Turns a checked query into SQL by Cube's compiler. */
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
  // Templates need a native part that is not shipped; the model has none.
  const nativeInstance = { newJinjaEngine: () => ({}) };
  // It would keep what it worked out for ten thousand queries, by their whole text, however long that is.
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
