import { defineEntity, p } from '@mikro-orm/core';
import { references, timestamp } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/**
 * Counters of failed sign-ins, shared by all API processes. rate-limiter-flexible defines the names and types of
 * columns.
 */
export const RateLimit = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limit',
  properties: {
    key: p.string().columnType('varchar(255)').primary(),
    points: p.integer().default(0),
    /** Milliseconds since 1970. */
    expire: p.bigint('number').nullable(),
  },
});

/** An address from which a user has signed in with their password: an IPv4 address or an IPv6 network. */
export const SignInAddress = defineEntity({
  name: 'SignInAddress',
  tableName: 'sign_in_address',
  ...rowsOf({ user_id: 'user_account' }),
  properties: {
    userId: references('user_account', { onDelete: 'cascade' }).primary(),
    address: p.text().primary(),
    lastUsedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
});
