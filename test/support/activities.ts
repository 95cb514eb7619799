import type { TestApi } from './api.js';
import { type ApiClient, bodyOf, type Json } from './client.js';

export interface Activity {
  readonly id: number;
  readonly name: string;
  readonly actor: number | null;
  readonly text: string;
  readonly date: string;
  readonly data: { readonly [key: string]: Json };
  readonly icon: string;
  readonly log_level: string;
  readonly source: { readonly [key: string]: Json } | null;
}

/** A page of an activity stream. */
export interface Stream {
  readonly date_from: string;
  readonly date_to: string;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly Activity[];
}

interface Written {
  readonly name: string;
  readonly text?: string;
  readonly data?: object;
  readonly actor?: number | null;
  /** A time as SQL; by default the current one. */
  readonly occurredAt?: string;
  readonly count?: number;
  /** Seconds between the INSERT and its commit. */
  readonly pause?: number;
}

interface Connection {
  query(text: string, values: unknown[]): Promise<{ rows: { id: string }[] } | { id: string }[]>;
}

/**
 * Inserts activities directly, in the transaction of `connection` or a separate one; returns the id of the last one.
 */
export async function writeActivity(
  test: TestApi,
  { name, text = 'x', data = {}, actor = test.organization.admin.id, occurredAt, count = 1, pause = 0 }: Written,
  connection: Connection = test.database,
): Promise<number> {
  const result = await connection.query(
    `WITH written AS (
       INSERT INTO activity (organization_id, actor_id, name, text, data, icon, log_level, occurred_at)
       SELECT $1, $2, $3, $4, $5, 'bug', 'user', ${occurredAt ?? 'clock_timestamp()'} FROM generate_series(1, $6::int)
       RETURNING id)
     SELECT max(id) AS id FROM written CROSS JOIN pg_sleep($7::float8)`,
    [test.organization.id, actor, name, text, JSON.stringify(data), count, pause],
  );
  const rows = Array.isArray(result) ? result : result.rows;
  return Number(rows[0]?.id);
}

/** All pages of a stream, newest first. */
export async function allPages(
  api: ApiClient,
  path: string,
  query: Readonly<Record<string, string | number>>,
): Promise<Stream[]> {
  const pages = [await bodyOf(api.get<Stream>(path, query))];
  for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push(await bodyOf(api.get<Stream>(next)));
  return pages;
}
