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
    /** End of the lease of the worker that refreshes the organization's projects after changes of the library. */
    refreshLeaseUntil: timestamp().nullable(),
  },
});
