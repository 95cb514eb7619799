import { sql } from 'kysely';
import type { QueryContext } from '#query/query-context.js';
import type { Branch } from '#query/projection.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';

/** Rows of a table that belong to the webhook that is read within. */
export const withinWebhook =
  (table: string) =>
  ({ within, organization }: QueryContext): Branch[] => [
    {
      table: sql.table(table),
      // What is in a path may be no number: then there is no such webhook.
      where: sql`item.webhook_id = (SELECT w.id FROM webhook w
        WHERE w.id = ${NUMERIC_ID.test(within) ? within : '0'}::bigint AND w.organization_id = ${organization})`,
    },
  ];
