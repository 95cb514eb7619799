import { defineEntity, p } from '@mikro-orm/core';
import { references } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import { changeTriggers } from '../../kernel/schema/library-triggers.js';

/** A flag that is on in an organization. */
export const FeatureFlag = defineEntity({
  name: 'FeatureFlag',
  tableName: 'feature_flag',
  ...ownRows(),
  properties: {
    organizationId: references('organization').primary(),
    name: p.text().primary(),
  },
  triggers: changeTriggers('feature_flag'),
});
