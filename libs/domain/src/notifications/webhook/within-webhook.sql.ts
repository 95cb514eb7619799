import { sql } from 'kysely';
import type { QueryContext } from '#query/query-context.js';
import type { Branch } from '#query/projection.js';
import { numericIdOrNull } from '../../kernel/item-id.js';

/** Rows of a table that belong to the webhook in the path. */
export const withinWebhook =
  (table: string) =>
  ({ within, organization }: QueryContext): Branch[] => [
    {
      table: sql.table(table),
      where: sql`item.webhook_id = (SELECT w.id FROM webhook w
        WHERE w.id = ${numericIdOrNull(within)}::bigint AND w.organization_id = ${organization})`,
    },
  ];
