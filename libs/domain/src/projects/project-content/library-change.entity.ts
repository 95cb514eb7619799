import { defineEntity } from '@mikro-orm/core';
import { key, references, timestamp } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';

/**
 * A change of an organization's library that its projects do not reflect yet. Rows are only inserted, so changes of the
 * library never wait for each other or for projects that are being recalculated.
 */
export const LibraryChange = defineEntity({
  name: 'LibraryChange',
  tableName: 'library_change',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    changedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
  indexes: [{ name: 'library_change_organization', properties: ['organizationId'] }],
});
