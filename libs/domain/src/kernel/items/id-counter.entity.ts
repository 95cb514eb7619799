import { defineEntity, p } from '@mikro-orm/core';
import { references } from '../schema/columns.js';
import { ownRows } from '../schema/policies.js';

/** The last number that an organization has used for a kind, and the numbers that imports have skipped. */
export const IdCounter = defineEntity({
  name: 'IdCounter',
  tableName: 'id_counter',
  ...ownRows(),
  properties: {
    organizationId: references('organization').primary(),
    kind: p.text().primary(),
    value: p.integer(),
    /** Numbers up to `value` that were skipped and never used. */
    unused: p.text().columnType('int4multirange').defaultRaw("'{}'"),
  },
});
