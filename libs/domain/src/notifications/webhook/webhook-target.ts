import { sql } from 'kysely';
import type { WebhookFormat } from './webhook.rules.js';

/** Where the messages of a webhook go, and how they are written and signed. */
export interface WebhookTarget {
  readonly format: WebhookFormat;
  readonly sealedUrl: string;
  readonly sealedSecret: string | null;
  /** Null if there is none, or if its time is over. */
  readonly sealedPreviousSecret: string | null;
}

/** The columns of a webhook, with the alias `w`, that its target consists of. */
export const targetColumns = () =>
  [
    sql.ref<WebhookFormat>('w.format').as('format'),
    sql.ref<string>('w.sealed_url').as('sealed_url'),
    sql.ref<string | null>('w.sealed_secret').as('sealed_secret'),
    sql<string | null>`CASE WHEN ${sql.ref('w.previous_secret_until')} > now()
      THEN ${sql.ref('w.sealed_previous_secret')} END`.as('sealed_previous_secret'),
  ] as const;

interface TargetRow {
  readonly format: WebhookFormat;
  readonly sealed_url: string;
  readonly sealed_secret: string | null;
  readonly sealed_previous_secret: string | null;
}

export const targetOf = (row: TargetRow): WebhookTarget => ({
  format: row.format,
  sealedUrl: row.sealed_url,
  sealedSecret: row.sealed_secret,
  sealedPreviousSecret: row.sealed_previous_secret,
});
