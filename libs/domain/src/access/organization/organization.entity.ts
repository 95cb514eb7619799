import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, timestamp } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';

/** A tenant. */
export const Organization = defineEntity({
  name: 'Organization',
  tableName: 'organization',
  ...ownRows('id'),
  properties: {
    id: key(),
    name: p.text().unique(),
    createdAt: createdAt(),
    /** New tokens must expire within so many days; null: they need not expire. */
    tokenMaxDays: p.integer().nullable(),
    /** Whether new tokens need scopes other than `*`. */
    tokenScopesRequired: p.boolean().default(false),
    /** End of the lease of the worker that refreshes the organization's projects after changes of the library. */
    refreshLeaseUntil: timestamp().nullable(),
    /** Counts the leases that expired because their worker died. Part of the key of the queue entry. */
    refreshFence: p.integer().default(0),
    /** Until then, the relay doesn't queue the organization again. */
    refreshQueuedUntil: timestamp().nullable(),
    /** When all projects last reflected the library. */
    refreshCompletedAt: timestamp().nullable(),
  },
});
