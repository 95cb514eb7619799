import { defineEntity, p } from '@mikro-orm/core';
import { references } from './schema/columns.js';
import { ownRows } from './schema/policies.js';

/** The last number that an organization has given to an item of a kind, and those that imports have passed over. */
export const IdCounter = defineEntity({
  name: 'IdCounter',
  tableName: 'id_counter',
  ...ownRows(),
  properties: {
    organizationId: references('organization').primary(),
    kind: p.text().primary(),
    value: p.integer(),
    /** Numbers up to `value` that were passed over: the organization never had them. */
    unused: p.text().columnType('int4multirange').defaultRaw("'{}'"),
  },
});
