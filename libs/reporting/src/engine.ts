import type { ReportQuery } from './query.js';

/** A value of a result: numbers are texts, and times are texts without a zone. */
export type Value = string | boolean | null;

/** The result of a query. */
export interface QueryResult {
  /** Rows keyed by member; a time with a granularity as `Cube.time.month` and as `Cube.time`. */
  readonly rows: readonly Readonly<Record<string, Value>>[];
  /** Whether the limit cut off rows. */
  readonly truncated: boolean;
  /** Number of rows without the limit, if the query asks for it. */
  readonly total?: number;
  /** The time of the data. */
  readonly refreshed: Date;
}

/** A query with its result. */
export interface CompletedQuery {
  readonly query: ReportQuery;
  readonly result: QueryResult;
}

/** The SQL of a query, with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Counts memory, in bytes. Throws if there is not enough. */
export type Charge = (bytes: number) => void;

/** Runs validated queries for one organization. No part of a query can change the filter for the organization. */
export interface ReportEngine {
  /** Does the slow part of the first query in advance. */
  prepare(): Promise<void>;
  /** `charge` receives the memory that the result takes, in bytes, while it arrives; it throws to stop the query. */
  load(query: ReportQuery, organization: number, charge?: Charge): Promise<QueryResult>;
  sql(query: ReportQuery, organization: number): Promise<Statement>;
  close(): Promise<void>;
}

/** The query could not be run, for a reason that the caller can fix. */
export class QueryFailed extends Error {}

/** Protects the memory of this process: 50,000 rows of several members fit. */
export const MAX_RESULT_BYTES = 64 * 2 ** 20;

/** Memory overhead of a value in addition to its text, in bytes. */
export const VALUE_BYTES = 16;

/** Estimates the memory of results, in bytes. */
export function bytesOf(completed: readonly CompletedQuery[]): number {
  let bytes = 0;
  for (const { result } of completed)
    for (const row of result.rows)
      for (const value of Object.values(row)) bytes += VALUE_BYTES + (typeof value === 'string' ? value.length : 0);
  return bytes;
}

/** Estimates the memory of the names in the rows of a JSON response, which repeats them in every row, in bytes. */
export const bytesOfNames = ({ rows }: QueryResult): number =>
  Object.keys(rows[0] ?? {}).reduce((sum, name) => sum + name.length, 0) * rows.length;

/** The error for a result of more than `MAX_RESULT_BYTES`. */
export const resultTooLarge = (): QueryFailed =>
  new QueryFailed('The result is too large. Request fewer rows or members.');

/** The error for a query that exceeded its time limit; `cause` is the database's error, if there was one. */
export const tooLong = (cause?: unknown): QueryFailed =>
  new QueryFailed('The query takes too long. Use fewer dimensions or a shorter time range.', { cause });

/** Reports are off, or the engine can't be reached: the caller can't fix it. */
export class EngineUnavailable extends Error {}
