import { defineEntity, p } from '@mikro-orm/core';
import { timestamp } from '../../kernel/schema/columns.js';

/** The link that creates the first super-user of a deployment. Only a hash of its secret is stored. */
export const SetupLink = defineEntity({
  name: 'SetupLink',
  tableName: 'setup_link',
  properties: {
    hash: p.blob().primary(),
    expiresAt: timestamp(),
  },
});
