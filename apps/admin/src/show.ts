import type { EntityManager } from '@mikro-orm/postgresql';
import { userProjection } from '#domain/access/user/user.projection.js';
import { parseQuery, DEFAULT_ITEM_QUERY } from '#query/parameters.js';
import type { Projection } from '#query/projection.js';
import type { Scope } from '#query/query-context.js';
import { Reader } from '#query/reader.js';
import { CommandError } from './command.js';

const reader = new Reader({ acquireListSlot: () => () => undefined });

/** A user in the form in which the API returns them to a super-user. */
export async function showUser(
  em: EntityManager,
  { id, organizationId }: { id: number; organizationId: number },
): Promise<unknown> {
  const scope = { id, organizationId, isSuperUser: true };
  const item = await reader.item(em.getKysely(), userProjection, scope, String(id), DEFAULT_ITEM_QUERY);
  return item === null ? null : JSON.parse(item.text);
}

/** All rows of a list in the form in which the API returns them to the caller, in the default order of the list. */
export async function showList(em: EntityManager, projection: Projection, scope: Scope): Promise<unknown[]> {
  const database = em.getKysely();
  // The caller's transaction already sees one snapshot.
  const openSnapshot = () => Promise.resolve({ database, close: () => Promise.resolve() });
  const view = parseQuery(projection, 'list', {}, false);
  const list = await reader.list({ database, openSnapshot }, projection, scope, view);
  if (!('rows' in list)) throw new CommandError('Too many to list. Use the API.');
  const rows = typeof list.rows === 'string' ? list.rows : Buffer.concat(list.rows).toString();
  return JSON.parse(`[${rows}]`) as unknown[];
}
