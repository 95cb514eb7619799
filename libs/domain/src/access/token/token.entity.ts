import { defineEntity, p } from '@mikro-orm/core';
import {
  bigintArray,
  createdAt,
  key,
  references,
  textList,
  timestamp,
  uniqueIndex,
} from '../../kernel/schema/columns.js';
import { ownCredentials } from '../../kernel/schema/policies.js';
import type { TokenScope } from '../../kernel/token-scopes.js';

/** A token of a user. Only a hash of its secret is stored. */
export const ApiToken = defineEntity({
  name: 'ApiToken',
  tableName: 'api_token',
  ...ownCredentials({ user_id: 'user_account' }),
  properties: {
    id: key(),
    userId: references('user_account', { onDelete: 'cascade' }),
    name: p.text(),
    publicId: p.text(),
    prefix: p.text().nullable(),
    hash: p.blob(),
    /** What it may be used for. */
    scopes: textList<TokenScope>().defaultRaw("'{*}'"),
    /** The only projects that it gives access to; null: all that the user can see. */
    projectIds: bigintArray().nullable(),
    createdAt: createdAt(),
    expiresAt: timestamp().nullable(),
    lastUsedAt: timestamp().nullable(),
    /** The client's address at the last use. */
    lastUsedAddress: p.text().nullable(),
  },
  indexes: [
    { name: 'api_token_expiry', properties: ['expiresAt'], where: 'expires_at IS NOT NULL' },
    uniqueIndex('api_token_hash', 'api_token (hash)'),
    { name: 'api_token_public_id', properties: ['publicId'] },
    { name: 'api_token_user', properties: ['userId'] },
  ],
});

/** A token that set-up has installed once; it is not installed again after its deletion. */
export const InstalledToken = defineEntity({
  name: 'InstalledToken',
  tableName: 'installed_token',
  properties: {
    hash: p.blob().primary(),
    installedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
});
