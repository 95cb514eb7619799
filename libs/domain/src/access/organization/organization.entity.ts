import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, timestamp } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';

/** A tenant. Everything that has an owner belongs to an organization. */
export const Organization = defineEntity({
  name: 'Organization',
  tableName: 'organization',
  ...ownRows('id'),
  properties: {
    id: key(),
    name: p.text().unique(),
    createdAt: createdAt(),
    /** Until when a worker keeps the organization to let its projects follow the library. */
    refreshLeaseUntil: timestamp().nullable(),
  },
});
