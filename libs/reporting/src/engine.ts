import type { ReportQuery } from './query.js';

/** A value of an answer: numbers are texts, times are texts without a zone. */
export type Value = string | boolean | null;

/** What a query found. */
export interface Found {
  /** Rows keyed by member; a time with a granularity as `Cube.time.month`, and as `Cube.time`. */
  readonly rows: readonly Readonly<Record<string, Value>>[];
  /** Whether there were more rows than the limit. */
  readonly truncated: boolean;
  /** Rows without the limit, where the query asks for it. */
  readonly total?: number;
  /** When what was found was true. */
  readonly refreshed: Date;
}

/** A query that was run, and what it found. */
export interface Ran {
  readonly query: ReportQuery;
  readonly found: Found;
}

/** The SQL of a query, with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs checked queries for one organization. Nothing in a query reaches the organization's filter. */
export interface ReportEngine {
  /** Does ahead what the first query would have to wait for. */
  prepare(): Promise<void>;
  load(query: ReportQuery, organization: number): Promise<Found>;
  sql(query: ReportQuery, organization: number): Promise<Statement>;
  close(): Promise<void>;
}

/** A query can't be run, and the caller can do something about it. */
export class QueryFailed extends Error {}

/** As much as 50,000 rows of some members take; more is no report, but a way to fill this process's memory. */
export const MAXIMUM_ANSWER_BYTES = 64 * 2 ** 20;

/** What a value takes in memory besides its text. */
export const VALUE_BYTES = 16;

/** About how many bytes an answer takes in memory. */
export function bytesOf(ran: readonly Ran[]): number {
  let bytes = 0;
  for (const { found } of ran)
    for (const row of found.rows)
      for (const value of Object.values(row)) bytes += VALUE_BYTES + (typeof value === 'string' ? value.length : 0);
  return bytes;
}

/** The refusal of what passes `MAXIMUM_ANSWER_BYTES`. */
export const answerTooLarge = (): QueryFailed =>
  new QueryFailed('The answer is too large. Ask for fewer rows or members.');

/** The refusal of a query that did not end within its time; `cause` is the error that told so, where one did. */
export const tooLong = (cause?: unknown): QueryFailed =>
  new QueryFailed('The query takes too long. Ask for less: fewer dimensions, a shorter time.', { cause });

/** Reports are off, or the engine is out of reach: nothing that the caller could fix. */
export class EngineUnavailable extends Error {}
