import { defineEntity, p } from '@mikro-orm/core';
import { references, timestamp } from '../../kernel/schema/columns.js';
import { ownCredentials } from '../../kernel/schema/policies.js';

/** A link with which a user sets a password or links an identity provider. Only a hash of its secret is stored. */
export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  ...ownCredentials({ user_id: 'user_account' }),
  properties: {
    userId: references('user_account', { onDelete: 'cascade' }).primary(),
    hash: p.blob(),
    expiresAt: timestamp(),
  },
  uniques: [{ properties: ['hash'] }],
});
