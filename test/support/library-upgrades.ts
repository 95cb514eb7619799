import type { TestApi } from './api.js';
import { bodyOf } from './client.js';
import { unique } from './factories.js';

/** A field that a release and the organization have both changed, as the API shows it. */
export interface Upgrade {
  id: number;
  item: string;
  field: string;
  from: unknown;
  to: unknown;
  revision: number;
  status: string;
  resolved: string | null;
  resolved_by: { id: number } | null;
}

/**
 * Creates an upgrade that the organization must decide on: a release and the organization have both changed the title
 * of `T12`.
 */
export async function makeUpgrade({ api, database, organization }: TestApi): Promise<number> {
  await bodyOf(api.patch('/library/tasks/T12/', { title: unique() }));
  const [inserted] = await database.query<{ id: string }>(
    `WITH changed AS (
       INSERT INTO release_change (kind, identity, item_id, title, field, from_value, to_value, revision)
       SELECT 'countermeasure', id, item_id, 'x', 'title', '"a"', '"b"', 2 FROM countermeasure WHERE item_id = 'T12'
         RETURNING id)
     INSERT INTO library_upgrade (organization_id, release_change_id) SELECT $1, id FROM changed
       RETURNING release_change_id AS id`,
    [organization.id],
  );
  return Number(inserted?.id);
}
