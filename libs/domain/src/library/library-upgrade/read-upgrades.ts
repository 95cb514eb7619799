import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { CustomizableKind } from '../customization/customization.sql.js';
import { upgradesSeenBy } from './library-upgrade.projection.js';

/** A field that a release and an organization have both changed. */
export interface OpenUpgrade {
  readonly id: number;
  readonly kind: CustomizableKind;
  readonly item: string;
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Counts the changes of releases by their status in an organization, and lists the open ones, newest first. */
export async function readUpgrades(
  em: EntityManager,
  organization: number,
): Promise<{ counts: Record<string, number>; open: OpenUpgrade[] }> {
  const { rows: counted } = await sql<{ status: string; count: number }>`
    SELECT u.status, count(*)::int AS count FROM ${upgradesSeenBy(organization)} u GROUP BY 1 ORDER BY 1`.execute(
    em.getKysely(),
  );
  const { rows: open } = await sql<OpenUpgrade>`
    SELECT u.id, u.kind, u.item_id AS item, u.field, u.from_value AS from, u.to_value AS to
    FROM ${upgradesSeenBy(organization)} u WHERE u.status = 'open' ORDER BY u.id DESC`.execute(em.getKysely());
  return { counts: Object.fromEntries(counted.map(({ status, count }) => [status, count])), open };
}
