import { defineEntity, p } from '@mikro-orm/core';
import { references, timestamp, uniqueIndex } from '../kernel/schema/columns.js';
import { ownRows } from '../kernel/schema/policies.js';

/** Activities per hour for reports, counted up to the horizon. */
export const ActivityHour = defineEntity({
  name: 'ActivityHour',
  tableName: 'activity_hour',
  ...ownRows(),
  properties: {
    organizationId: references('organization').primary(),
    hour: timestamp().primary(),
    name: p.text().primary(),
    logLevel: p.text().primary(),
    total: p.integer(),
  },
});

/** The time up to which activities are counted: one row, or none before the first count. */
export const ActivityHourHorizon = defineEntity({
  name: 'ActivityHourHorizon',
  tableName: 'activity_hour_horizon',
  properties: {
    countedUntil: timestamp().primary(),
  },
  indexes: [uniqueIndex('activity_hour_horizon_one', 'activity_hour_horizon ((true))')],
});
