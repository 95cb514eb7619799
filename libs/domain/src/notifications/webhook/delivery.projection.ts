import { sql } from 'kysely';
import { column } from '#query/column.js';
import { utcMilliseconds, utcTimestampField } from '#query/expressions.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { deliveryMachine } from './delivery.machine.js';
import { withinWebhook } from './within-webhook.sql.js';

const nullableTimestamp = (description: string): schema.Schema =>
  schema.nullable(schema.timestamp({ description, example: '2026-03-04T15:43:51.615Z' }));

export const deliveryProjection = projection({
  name: 'WebhookDelivery',
  source: withinWebhook('webhook_delivery'),
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: column(schema.integer({ example: 17 }), { sortable: true }),
    status: column(
      schema.string({
        enum: deliveryMachine.states,
        description: '`cancelled`: the webhook or the event was deactivated before it was sent.',
        example: 'delivered',
      }),
    ),
    attempts: column(schema.integer({ description: 'The number of attempts.', example: 1 })),
    response_status: column(
      schema.nullable(
        schema.integer({ description: 'The HTTP status of the last attempt; null without a response.', example: 200 }),
      ),
    ),
    error: column(
      schema.nullable(schema.string({ description: 'Why the last attempt failed; null if it succeeded.' })),
    ),
    created: utcTimestampField(sql`item.created_at`, 'When it was created.'),
    delivered: { sql: utcMilliseconds(sql`item.delivered_at`), schema: nullableTimestamp('When it was delivered.') },
    next_attempt: {
      sql: sql`CASE WHEN item.status = 'pending' THEN ${utcMilliseconds(sql`item.due_at`)} END`,
      schema: nullableTimestamp('The earliest time of the next attempt; null if there is none.'),
    },
    activity: {
      sql: sql`item.activity_id`,
      schema: schema.integer({ description: 'The activity that it reports.', example: 4711 }),
    },
  },
  orderings: {},
  defaultOrdering: '-id',
  search: { text: sql`concat_ws(E'\\n', item.status, item.error)`, fields: ['status', 'error'] },
  paging: { defaultSize: 100, maximumSize: 1000 },
});
