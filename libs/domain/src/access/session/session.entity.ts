import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, timestamp, uniqueIndex } from '../../kernel/schema/columns.js';
import { ownCredentials } from '../../kernel/schema/policies.js';
import type { SessionCredential } from './session.rules.js';

/** A person's sign-in with one browser. Only a hash of its id is stored. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'user_session',
  ...ownCredentials({ user_id: 'user_account' }),
  properties: {
    id: key(),
    userId: references('user_account', { onDelete: 'cascade' }),
    /** How the person has signed in. */
    credential: p.text().$type<SessionCredential>(),
    /** The identity provider that has signed the person in, and its ID token, encrypted: see SecretBox. */
    identityProviderId: references('identity_provider', { onDelete: 'cascade' }).nullable(),
    sealedIdToken: p.text().nullable(),
    hash: p.blob(),
    /** Hash of the id before a renewal. Requests that the browser had already sent still carry that id. */
    previousHash: p.blob().nullable(),
    previousUntil: timestamp().nullable(),
    /** The user's global permissions when the session got its id. */
    rights: p.text(),
    address: p.text(),
    userAgent: p.text(),
    createdAt: createdAt(),
    lastUsedAt: timestamp().defaultRaw('statement_timestamp()'),
    /** The end by the idle limit or the absolute limit, whichever comes first. */
    expiresAt: timestamp(),
    /** When the person last proved again who they are. */
    confirmedAt: timestamp().nullable(),
  },
  indexes: [
    { name: 'user_session_expiry', properties: ['expiresAt'] },
    { name: 'user_session_identity_provider', properties: ['identityProviderId'] },
    uniqueIndex('user_session_hash', 'user_session (hash)'),
    { name: 'user_session_previous_hash', properties: ['previousHash'], where: 'previous_hash IS NOT NULL' },
    { name: 'user_session_user', properties: ['userId'] },
  ],
});
