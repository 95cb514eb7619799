import { defineEntity, p } from '@mikro-orm/core';
import { index, key, references, timestamp } from '../kernel/schema/columns.js';
import { ownRows } from '../kernel/schema/policies.js';
import type { RequestSource } from './request-source.js';

/**
 * An index for a filter of the activity stream, in the order of the stream, so that a page reads little more than its
 * own rows. The name is the last column, so that a filter by name can skip entries without context their rows.
 */
const subjectIndex = (name: string) =>
  index(
    `activity_stream_${name}`,
    `activity (organization_id, (data ->> '${name}'), occurred_at DESC, id DESC, name)
      WHERE (data ->> '${name}') IS NOT NULL`,
  );

/** An activity. The audit trail, the activity stream and webhook deliveries are read from this table. */
export const Activity = defineEntity({
  name: 'Activity',
  tableName: 'activity',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    name: p.text(),
    actorId: references('user_account').nullable(),
    text: p.text(),
    data: p.json<object>(),
    icon: p.text(),
    logLevel: p.text(),
    /** The request that caused it; null for jobs and commands. */
    source: p.json<RequestSource>().nullable(),
    occurredAt: timestamp().defaultRaw('clock_timestamp()'),
    /** Set by a trigger instead of a default, so that restored rows get the id of the restoring transaction. */
    transactionId: p.text().columnType('xid8').nullable().lazy(),
  },
  indexes: [
    ...['project', 'application', 'user', 'standard', 'task'].map((name) => subjectIndex(name)),
    index('activity_search', `activity USING gin ((name || E'\\n' || text) gin_trgm_ops)`),
    {
      name: 'activity_stream',
      columns: [{ name: 'organizationId' }, { name: 'occurredAt', sort: 'DESC' }, { name: 'id', sort: 'DESC' }],
    },
    {
      name: 'activity_stream_actor',
      columns: [
        { name: 'organizationId' },
        { name: 'actorId' },
        { name: 'occurredAt', sort: 'DESC' },
        { name: 'id', sort: 'DESC' },
        { name: 'name' },
      ],
      where: 'actor_id IS NOT NULL',
    },
    {
      name: 'activity_stream_name',
      columns: [
        { name: 'organizationId' },
        { name: 'name' },
        { name: 'occurredAt', sort: 'DESC' },
        { name: 'id', sort: 'DESC' },
      ],
    },
  ],
  triggers: [
    {
      name: 'activity_transaction',
      timing: 'before',
      events: ['insert'],
      expression: `CREATE TRIGGER activity_transaction BEFORE INSERT ON activity
        FOR EACH ROW EXECUTE FUNCTION activity_transaction()`,
    },
  ],
});
