import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { SecretBox } from '#platform/crypto/secret-box.js';
import { WEBHOOK_URL_PURPOSE } from './webhook.rules.js';

/** Encrypts with the current key what the previous one encrypted; returns how many URLs. */
export async function resealWebhooks(em: EntityManager, secrets: SecretBox): Promise<number> {
  const { rows } = await sql<{ id: string; sealed_url: string }>`
    SELECT id, sealed_url FROM webhook WHERE NOT starts_with(sealed_url, ${secrets.prefix})`.execute(em.getKysely());
  let count = 0;
  for (const { id, sealed_url: sealed } of rows) {
    const url = secrets.open(sealed, WEBHOOK_URL_PURPOSE);
    if (url === undefined) continue; // its key is gone
    await sql`UPDATE webhook SET sealed_url = ${secrets.seal(url, WEBHOOK_URL_PURPOSE)}
      WHERE id = ${id}::bigint AND sealed_url = ${sealed}`.execute(em.getKysely());
    count += 1;
  }
  return count;
}
