import { Migration } from '@mikro-orm/migrations';
import { deliveryMachine } from '../notifications/webhook/delivery.machine.js';

/** Webhooks, what they deliver, and the deliveries: docs/webhooks.md. */
export class Migration20261121080000_Webhooks extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE webhook (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        name text NOT NULL,
        -- Sealed: see SecretBox.
        sealed_url text NOT NULL,
        description text NOT NULL DEFAULT '',
        active boolean NOT NULL DEFAULT true,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp()
      );
      CREATE INDEX webhook_list ON webhook (organization_id, id);

      CREATE TABLE webhook_config (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        webhook_id bigint NOT NULL REFERENCES webhook ON DELETE CASCADE,
        event_source text NOT NULL,
        active boolean NOT NULL DEFAULT true,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        UNIQUE (webhook_id, event_source)
      );
    `);

    this.addSql(`
      -- The one lane that a webhook's deliveries go through, one after the other.
      CREATE TABLE webhook_lane (
        webhook_id bigint PRIMARY KEY REFERENCES webhook ON DELETE CASCADE,
        -- When the relay may queue it again, and when the next message may be sent.
        due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        next_send_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        -- Who works on it and until when. The fence counts every taking: a worker that wakes up late holds an old one.
        lease_owner text,
        lease_until timestamptz,
        fence integer NOT NULL DEFAULT 0,
        -- Since when nothing has got through; null where the last message did.
        failing_since timestamptz
      );

      CREATE TABLE webhook_delivery (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        webhook_id bigint NOT NULL REFERENCES webhook ON DELETE CASCADE,
        activity_id bigint NOT NULL,
        event_source text NOT NULL,
        -- Tells the receiver which tries are the same message.
        message_id uuid NOT NULL DEFAULT gen_random_uuid(),
        status text NOT NULL DEFAULT '${deliveryMachine.definition.initial}'
          CONSTRAINT webhook_delivery_status ${deliveryMachine.check},
        attempts integer NOT NULL DEFAULT 0,
        -- Tries that failed, since the first or since it was asked for again: the place in the schedule.
        failures integer NOT NULL DEFAULT 0,
        -- Outside of the order: it has failed too often, or was asked for again.
        aside boolean NOT NULL DEFAULT false,
        due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        -- Transactions that may still bring an earlier activity are below this.
        horizon xid8 NOT NULL DEFAULT greatest(
          pg_snapshot_xmax(pg_current_snapshot()), (pg_current_xact_id()::text::bigint + 1)::text::xid8),
        response_status integer,
        error text,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        delivered_at timestamptz,
        UNIQUE (webhook_id, activity_id)
      );
      CREATE INDEX webhook_delivery_list ON webhook_delivery (webhook_id, id);
      CREATE INDEX webhook_delivery_line ON webhook_delivery (webhook_id, activity_id)
        WHERE status = 'pending' AND NOT aside;
      CREATE INDEX webhook_delivery_aside ON webhook_delivery (webhook_id, due_at) WHERE status = 'pending' AND aside;
      CREATE INDEX webhook_delivery_old ON webhook_delivery (created_at) WHERE status <> 'pending';
    `);
  }
}
