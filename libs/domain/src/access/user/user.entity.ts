import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { key, references, timestamp, uniqueIndex } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';

/** A user of an organization. */
export const User = defineEntity({
  name: 'User',
  tableName: 'user_account',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    email: p.text(),
    firstName: p.text(),
    lastName: p.text(),
    passwordHash: p.text().nullable().lazy(),
    isActive: p.boolean().default(true),
    isSuperuser: p.boolean().default(false),
    /** A program: it has tokens, but can't sign in. */
    isServiceAccount: p.boolean().default(false),
    roleId: references('global_role'),
    lastLoginAt: timestamp().nullable(),
    joinedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
  indexes: [
    uniqueIndex('user_account_email', 'user_account (lower(email))'),
    { name: 'user_account_organization', properties: ['organizationId', 'id'] },
  ],
});

export type User = InferEntity<typeof User>;
