import type { ReportQuery } from './query.js';

/** A value of an answer: numbers are texts, times are texts without a zone. */
export type Value = string | boolean | null;

/** What a query found. */
export interface Found {
  /** Rows keyed by member; a time with a granularity as `Cube.time.month`, and as `Cube.time`. */
  readonly rows: readonly Readonly<Record<string, Value>>[];
  /** Whether the limit cut rows off. */
  readonly truncated: boolean;
  /** Rows without the limit, where the query asks for it. */
  readonly total?: number;
  /** When what was found was true. */
  readonly refreshed: Date;
}

/** The SQL of a query, with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs checked queries for one organization. Nothing in a query reaches the organization's filter. */
export interface ReportEngine {
  load(query: ReportQuery, organization: number): Promise<Found>;
  sql(query: ReportQuery, organization: number): Promise<Statement>;
  close(): Promise<void>;
}

/** A query can't be run, and the caller can do something about it. */
export class QueryFailed extends Error {}

/** Reports are off, or the engine is out of reach: nothing that the caller could mend. */
export class EngineUnavailable extends Error {}
