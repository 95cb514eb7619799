import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { SecretBox } from '#platform/crypto/secret-box.js';
import { CLIENT_SECRET_PURPOSE } from '../access/identity-provider/identity-provider.rules.js';
import { KEPT_RESPONSE_PURPOSE } from '../access/idempotency/idempotency-key.commands.js';
import { CONNECTOR_SECRETS_PURPOSE } from '../connections/connector/connector.rules.js';
import { WEBHOOK_SECRET_PURPOSE, WEBHOOK_URL_PURPOSE } from '../notifications/webhook/webhook.rules.js';

/** All columns with encrypted values, and the purpose of each. */
const SEALED = [
  { table: 'identity_provider', column: 'sealed_client_secret', purpose: CLIENT_SECRET_PURPOSE },
  { table: 'idempotency_key', column: 'sealed_response', purpose: KEPT_RESPONSE_PURPOSE },
  { table: 'connector', column: 'sealed_secrets', purpose: CONNECTOR_SECRETS_PURPOSE },
  { table: 'webhook', column: 'sealed_url', purpose: WEBHOOK_URL_PURPOSE },
  { table: 'webhook', column: 'sealed_secret', purpose: WEBHOOK_SECRET_PURPOSE },
  { table: 'webhook', column: 'sealed_previous_secret', purpose: WEBHOOK_SECRET_PURPOSE },
] as const;

/** Encrypts secrets of the previous key with the current one; returns their number. */
export async function reencryptSecrets(em: EntityManager, secrets: SecretBox): Promise<number> {
  let count = 0;
  for (const { table, column, purpose } of SEALED) {
    const [rowsOf, sealedText] = [sql.table(table), sql.ref(column)];
    const { rows } = await sql<{ id: string; sealed: string }>`
      SELECT id, ${sealedText} AS sealed FROM ${rowsOf}
      WHERE NOT starts_with(${sealedText}, ${secrets.prefix})`.execute(em.getKysely());
    for (const { id, sealed } of rows) {
      const text = secrets.open(sealed, purpose);
      if (text === undefined) continue; // its key is gone
      await sql`UPDATE ${rowsOf} SET ${sealedText} = ${secrets.seal(text, purpose)}
        WHERE id = ${id}::bigint AND ${sealedText} = ${sealed}`.execute(em.getKysely());
      count += 1;
    }
  }
  return count;
}

/** Counts secrets that neither the current key nor the previous one can decrypt. */
export async function countUnreadableSecrets(em: EntityManager, secrets: SecretBox): Promise<number> {
  let count = 0;
  for (const { table, column, purpose } of SEALED) {
    const { rows } = await sql<{ sealed: string }>`
      SELECT ${sql.ref(column)} AS sealed FROM ${sql.table(table)}
      WHERE ${sql.ref(column)} IS NOT NULL`.execute(em.getKysely());
    count += rows.filter(({ sealed }) => secrets.open(sealed, purpose) === undefined).length;
  }
  return count;
}
