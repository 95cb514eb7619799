import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, timestamp, uniqueIndex } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';
import { syncRunMachine } from './sync-run.machine.js';

const count = () => p.integer().default(0);

/** One synchronisation of a connection, and its summary. */
export const TrackerSyncRun = defineEntity({
  name: 'TrackerSyncRun',
  tableName: 'tracker_sync_run',
  ...rowsOf({ connection_id: 'tracker_connection' }),
  properties: {
    id: key(),
    connectionId: references('tracker_connection', { onDelete: 'cascade' }),
    status: p.enum(syncRunMachine.states).default(syncRunMachine.definition.initial),
    /** Whether someone asked for it. */
    requested: p.boolean().default(false),
    createdAt: createdAt(),
    startedAt: timestamp().nullable(),
    finishedAt: timestamp().nullable(),
    /** Whether the changes in the tracker were read. */
    listed: p.boolean().default(false),
    /** The last countermeasure that was compared: a run that was interrupted continues after it. */
    position: p.bigint('number').default(0),
    created: count(),
    changed: count(),
    closed: count(),
    marked: count(),
    conflicts: count(),
    missing: count(),
    failed: count(),
    error: p.text().nullable(),
  },
  indexes: [
    { name: 'tracker_sync_run_list', properties: ['connectionId', 'id'] },
    uniqueIndex(
      'tracker_sync_run_unfinished',
      "tracker_sync_run (connection_id) WHERE status IN ('pending', 'running')",
    ),
  ],
});
