import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, updatedAt } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';

/** Filters and other settings of a page that a user has saved under a name. */
export const SavedView = defineEntity({
  name: 'SavedView',
  tableName: 'saved_view',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    userId: references('user_account', { onDelete: 'cascade' }),
    name: p.text(),
    page: p.text(),
    query: p.json<object>(),
    shared: p.boolean().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [
    { name: 'saved_view_user', properties: ['userId', 'id'] },
    { name: 'saved_view_shared', properties: ['organizationId', 'id'], where: 'shared' },
  ],
});
