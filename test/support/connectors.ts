import type { TestApi } from './api.js';
import { type ApiClient, bodyOf, type Json } from './client.js';
import { unique } from './factories.js';

/** A connector as the API returns it. */
export interface Connector {
  id: number;
  name: string;
  system: { id: string };
  params: { [name: string]: Json };
  inaccessible: boolean;
}

/** Paths of both kinds of connectors, each with a system. */
export const CONNECTOR_PATHS = [
  ['/connectors/analysis/', 'sonarqube'],
  ['/connectors/issue-tracker/', 'github'],
] as const;

/** Parameters that every system accepts. */
export const CONNECTOR_PARAMS = { url: 'https://tools.example.com', token: 'hush' };

/** Creates a connector below one of `CONNECTOR_PATHS`. */
export function makeConnector(api: ApiClient, path: string, fields: object = {}): Promise<Connector> {
  const system = CONNECTOR_PATHS.find(([one]) => one === path)?.[1] ?? '';
  // A tracker without an address is never contacted.
  const params = system === 'sonarqube' ? CONNECTOR_PARAMS : {};
  const body = { name: unique('Server'), system: { id: system }, params, ...fields };
  return bodyOf(api.post<Connector>(path, body), 201);
}

/** Adds an issue to a connection to a tracker, as if someone had deleted it there; returns its id. */
export async function makeMissingIssue({ database }: TestApi, connection: number): Promise<number> {
  const [row] = await database.query<{ id: string }>(
    `INSERT INTO tracked_issue (connection_id, status, issue_id, issue_key) VALUES ($1, 'missing', '1', 'SHOP-1')
     RETURNING id`,
    [connection],
  );
  return Number(row?.id);
}
