import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, uniqueIndex } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';

/** A request that a user sent with an idempotency key, and its response. Only hashes of key and request are stored. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    userId: references('user_account', { onDelete: 'cascade' }),
    keyHash: p.text(),
    requestHash: p.text(),
    status: p.integer(),
    /** Encrypted, because it may contain a token. */
    sealedResponse: p.text(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'idempotency_key_created', properties: ['createdAt'] },
    uniqueIndex('idempotency_key_hash', 'idempotency_key (user_id, key_hash)'),
  ],
});
