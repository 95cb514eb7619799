import { defineEntity, p } from '@mikro-orm/core';
import { references } from '../../kernel/columns.js';
import { noteChanges } from '../../kernel/library-triggers.js';

/** A flag that is on in an organization. */
export const FeatureFlag = defineEntity({
  name: 'FeatureFlag',
  tableName: 'feature_flag',
  properties: {
    organizationId: references('organization').primary(),
    name: p.text().primary(),
  },
  triggers: noteChanges('feature_flag'),
});
