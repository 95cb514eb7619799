import { defineEntity } from '@mikro-orm/core';
import { key, references, timestamp } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';

/**
 * An organization’s library has changed, and its projects do not know yet. Rows are only added: changes of the
 * library never wait for each other, nor for projects that are just being worked out.
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
