import { everyIdAt, filled, type Id, idsAt, namesIn } from '../property/places.js';
import type { ApiClient, Answer } from '../support/client.js';
import type { Operation } from '../support/document.js';
import { queryBody, reportClient } from '../support/reports.js';
import { isTheirs, type Side } from './two-organizations.js';

/** An operation of the document. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** All combinations of one element of each list. */
const combinations = <T>(lists: readonly (readonly T[])[]): T[][] =>
  lists.reduce<T[][]>((all, list) => all.flatMap((chosen) => list.map((one) => [...chosen, one])), [[]]);

const naming = (path: string, ids: readonly Id[]): string => filled(path, ids.map(encodeURIComponent));

/**
 * The paths of an operation with ids of the other organization: only such ids, and combined with ids that the caller
 * owns or all organizations share. Empty if the operation only accepts shared ids.
 */
export function pathsToTheirs({ path }: Route, caller: Side, stranger: Side): string[] {
  const choices = namesIn(path).map((name) => {
    const known = everyIdAt(stranger.pool, path, name);
    const theirs = known.filter(isTheirs).slice(0, 2);
    const shared = known.filter((id) => !isTheirs(id)).slice(0, 2);
    const ownIds = idsAt(caller.pool, path, name).slice(0, 2);
    if (!known.length) throw new Error(`test/property/pool.ts has no id for "${name}" in ${path}.`);
    return [
      ...theirs.map((id) => ({ id, isForeign: true })),
      ...[...shared, ...ownIds].map((id) => ({ id, isForeign: false })),
    ];
  });
  const chosen = combinations(choices).filter((ids) => ids.some(({ isForeign }) => isForeign));
  return [
    ...new Set(
      chosen.map((ids) =>
        naming(
          path,
          ids.map(({ id }) => id),
        ),
      ),
    ),
  ];
}

/** A path of an operation with ids of the caller's organization. */
export const pathToOurs = ({ path }: Route, { pool }: Side): string =>
  naming(
    path,
    namesIn(path).map((name) => idsAt(pool, path, name)[0] ?? ''),
  );

/** The client for an operation: reports have separate clients. */
export const callerOf = async ({ path }: Pick<Route, 'path'>, { test }: Side): Promise<ApiClient> =>
  path.startsWith('/cubejs-api/') ? reportClient(test) : test.api;

/** Sends a request to an absolute path, and accepts a response of any type. */
export const ask = (client: ApiClient, side: Side, method: string, path: string, body?: unknown): Promise<Answer> =>
  client.send(method, `${side.test.origin}${path}`, body, { headers: { Accept: '*/*' } });

/** A query string with which an operation returns as much as it can. */
export function showingAll({ operation }: Route): string {
  const parameters = new URLSearchParams();
  for (const { name, schema } of operation.parameters ?? []) {
    const { items } = schema as { items?: { enum?: string[] } };
    if (name === 'include' || name === 'expand') parameters.set(name, (items?.enum ?? []).join(','));
    if (name === 'query') parameters.set(name, JSON.stringify(queryBody()['query']));
    if (name === 'cursor') parameters.set('page_size', '1000');
  }
  return parameters.size ? `?${parameters.toString()}` : '';
}
