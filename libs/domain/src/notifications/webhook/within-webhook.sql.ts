import { sql } from 'kysely';
import type { QueryContext } from '#query/query-context.js';
import type { Branch } from '#query/projection.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';

/** Rows of a table that belong to the webhook in the path. */
export const withinWebhook =
  (table: string) =>
  ({ within, organization }: QueryContext): Branch[] => [
    {
      table: sql.table(table),
      // The path may contain something other than a number; no webhook has the id 0.
      where: sql`item.webhook_id = (SELECT w.id FROM webhook w
        WHERE w.id = ${NUMERIC_ID.test(within) ? within : '0'}::bigint AND w.organization_id = ${organization})`,
    },
  ];
