import type { EntityManager } from '@mikro-orm/postgresql';
import { userProjection } from '#domain/access/user/user.projection.js';
import { markdownRenderer } from '#platform/markdown.js';
import { plainItemQuery } from '#query/parameters.js';
import { Reader } from '#query/reader.js';

const reader = new Reader({ renderMarkdown: markdownRenderer([]), beginLongList: () => () => undefined });

/** A user as the API shows them. */
export async function showUser(
  em: EntityManager,
  { id, organizationId }: { id: number; organizationId: number },
): Promise<unknown> {
  const json = await reader.item(em.getKysely(), userProjection, { id, organizationId }, String(id), plainItemQuery());
  return json === null ? null : JSON.parse(json);
}
