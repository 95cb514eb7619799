import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { type RowOf, tables } from '../../kernel/tables.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

/** Hours for which a key returns its first response. */
export const IDEMPOTENCY_HOURS = 24;

/** Characters of a key. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/** Bytes of a response that is kept. */
export const MAX_KEPT_RESPONSE_BYTES = 2 ** 20;

/** The purpose for which kept responses are encrypted. */
export const KEPT_RESPONSE_PURPOSE = 'idempotency.response';

type EarlierRequest = Pick<RowOf<typeof IdempotencyKey>, 'request_hash' | 'status' | 'sealed_response'>;

const expiry = sql<string>`now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`;

/**
 * Claims a key for a request of a user, and waits if another transaction has claimed it. Returns the earlier request if
 * that transaction was committed; undefined if the key was free or has expired.
 */
export async function claimIdempotencyKey(
  em: EntityManager,
  actor: Actor,
  { keyHash, requestHash }: { readonly keyHash: string; readonly requestHash: string },
): Promise<EarlierRequest | undefined> {
  const database = tables(em, IdempotencyKey);
  const claimed = await database
    .insertInto('idempotency_key')
    .values({
      organization_id: actor.organizationId,
      user_id: actor.id,
      key_hash: keyHash,
      request_hash: requestHash,
      status: 0,
      sealed_response: '',
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key_hash'])
        .doUpdateSet({ request_hash: requestHash, created_at: sql`now()` })
        .where('idempotency_key.created_at', '<', expiry),
    )
    .returning('id')
    .executeTakeFirst();
  if (claimed) return undefined;
  return database
    .selectFrom('idempotency_key')
    .select(['request_hash', 'status', 'sealed_response'])
    .where('user_id', '=', actor.id)
    .where('key_hash', '=', keyHash)
    .executeTakeFirstOrThrow();
}

/** Keeps the response to the request that claimed a key. */
export async function keepResponse(
  em: EntityManager,
  actor: Actor,
  keyHash: string,
  response: { readonly status: number; readonly sealed: string },
): Promise<void> {
  await tables(em, IdempotencyKey)
    .updateTable('idempotency_key')
    .set({ status: response.status, sealed_response: response.sealed })
    .where('user_id', '=', actor.id)
    .where('key_hash', '=', keyHash)
    .execute();
}

/** Deletes expired keys of all users; returns their number. */
export async function deleteExpiredIdempotencyKeys(em: EntityManager): Promise<number> {
  const { numDeletedRows } = await tables(em, IdempotencyKey)
    .deleteFrom('idempotency_key')
    .where('created_at', '<', expiry)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
