import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, timestamp, uniqueIndex } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/** The account of a provider with which a user signs in. Issuer and subject identify it: names and addresses change. */
export const UserIdentity = defineEntity({
  name: 'UserIdentity',
  tableName: 'user_identity',
  ...rowsOf({ user_id: 'user_account' }),
  properties: {
    id: key(),
    userId: references('user_account', { onDelete: 'cascade' }),
    providerId: references('identity_provider', { onDelete: 'cascade' }),
    issuer: p.text(),
    subject: p.text(),
    /** The role that a sign-in has given the user. While they have another one, someone else has given it. */
    roleId: references('global_role', { onDelete: 'set null' }).nullable(),
    createdAt: createdAt(),
    lastUsedAt: timestamp().defaultRaw('statement_timestamp()'),
  },
  indexes: [
    uniqueIndex('user_identity_subject', 'user_identity (provider_id, issuer, subject)'),
    { name: 'user_identity_role', properties: ['roleId'] },
    { name: 'user_identity_user', properties: ['userId'] },
  ],
});
