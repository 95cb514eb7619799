import { defineEntity, p } from '@mikro-orm/core';
import { references } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';

/** What clients store for a user, such as the theme of a page. Users without a row have no preferences. */
export const UserPreferences = defineEntity({
  name: 'UserPreferences',
  tableName: 'user_preferences',
  ...rowsOf({ user_id: 'user_account' }),
  properties: {
    userId: references('user_account', { onDelete: 'cascade' }).primary(),
    preferences: p.json<object>(),
  },
});
