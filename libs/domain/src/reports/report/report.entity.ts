import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, timestamp } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import { CHARTS, REPORT_TYPES } from './report.rules.js';

/** A saved advanced report. */
export const Report = defineEntity({
  name: 'Report',
  tableName: 'report',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    title: p.text(),
    description: p.text().default(''),
    /** `json` and not `jsonb`, to return a query with its keys in the order in which they were sent. */
    query: p.json<object>().columnType('json'),
    chart: p.enum(CHARTS),
    chartMeta: p.json<object>().columnType('json').defaultRaw("'{}'"),
    type: p.enum(REPORT_TYPES).default('D'),
    createdAt: createdAt(),
    createdBy: references('user_account').nullable(),
    modifiedAt: timestamp().defaultRaw('statement_timestamp()'),
  },
  indexes: [
    { name: 'report_creator', properties: ['createdBy'] },
    { name: 'report_list', properties: ['organizationId', 'id'] },
  ],
});
