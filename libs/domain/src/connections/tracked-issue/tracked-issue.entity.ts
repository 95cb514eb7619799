import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, timestamp, uniqueIndex } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';
import type { Base, SeenIssue } from './compare.js';
import { trackedIssueMachine } from './tracked-issue.machine.js';

/**
 * The issue of a countermeasure in a tracker. The row is committed before the issue is created: if the process dies in
 * between, the marker shows whether the issue exists.
 */
export const TrackedIssue = defineEntity({
  name: 'TrackedIssue',
  tableName: 'tracked_issue',
  ...rowsOf({ connection_id: 'tracker_connection' }),
  properties: {
    id: key(),
    connectionId: references('tracker_connection', { onDelete: 'cascade' }),
    /** Null if the countermeasure was deleted. */
    projectCountermeasureId: references('project_countermeasure', { onDelete: 'set null' }).nullable(),
    /** Identifies the issue in the tracker until its id is known. */
    marker: p.text().defaultRaw("'merlon-' || gen_random_uuid()").unique(),
    status: p.enum(trackedIssueMachine.states).default(trackedIssueMachine.definition.initial),
    /** The tracker's immutable id of the issue. */
    issueId: p.text().nullable(),
    issueKey: p.text().nullable(),
    url: p.text().nullable(),
    /** Both sides when they were last synchronised. */
    base: p.json<Base>().nullable(),
    /** The issue as the tracker last returned it. */
    seen: p.json<SeenIssue>().nullable(),
    error: p.text().nullable(),
    createdAt: createdAt(),
    syncedAt: timestamp().nullable(),
  },
  indexes: [
    uniqueIndex('tracked_issue_countermeasure', 'tracked_issue (connection_id, project_countermeasure_id)'),
    { name: 'tracked_issue_id', properties: ['connectionId', 'issueId'] },
    { name: 'tracked_issue_list', properties: ['connectionId', 'id'] },
    { name: 'tracked_issue_owner', properties: ['projectCountermeasureId'] },
  ],
});

export type TrackedIssue = InferEntity<typeof TrackedIssue>;
