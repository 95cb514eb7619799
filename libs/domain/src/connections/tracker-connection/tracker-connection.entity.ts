import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { between, createdAt, key, references, textList, timestamp, updatedAt } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import { PRIORITY } from '../../library/countermeasure/countermeasure.rules.js';
import { CONFLICT_POLICIES, FREQUENCIES } from './tracker-connection.rules.js';

const textMap = () => p.json<Readonly<Record<string, string>>>().defaultRaw("'{}'");

/** What of a project is synchronised with an issue tracker: docs/integrate/trackers.md. */
export const TrackerConnection = defineEntity({
  name: 'TrackerConnection',
  tableName: 'tracker_connection',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    projectId: references('project', { onDelete: 'cascade' }),
    connectorId: references('connector'),
    projectKey: p.text(),
    issueType: p.text().default(''),
    frequency: p.enum(FREQUENCIES).default('manually'),
    conflictPolicy: p.enum(CONFLICT_POLICIES).default('tracker'),
    minPriority: p.integer().check(between('min_priority', PRIORITY)).default(PRIORITY.minimum),
    /** Public ids; empty: all. */
    phases: textList(),
    statusesInScope: textList(),
    onlyRiskRelevant: p.boolean().default(false),
    titleFormat: p.text(),
    labels: textList(),
    fields: textMap(),
    priorityMap: textMap(),
    statusToTracker: textMap(),
    trackerToStatus: textMap(),
    closeOutOfScope: p.boolean().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** When the next run is due; null: only if someone asks for it. */
    dueAt: timestamp().nullable(),
    /** When the unfinished run continues; null if there is none. It takes precedence over `due_at`. */
    resumeAt: timestamp().nullable(),
    /** Until then the relay does not queue it again. */
    queuedUntil: timestamp().nullable(),
    /** The lease of a worker. Each lease increments the fence, so that an expired one is recognized. */
    leaseOwner: p.text().nullable(),
    leaseUntil: timestamp().nullable(),
    fence: p.integer().default(0),
    /** How many runs have failed since the last that succeeded. */
    failures: p.integer().default(0),
    /** The tracker's time up to which its changes are known. */
    cursor: timestamp().nullable(),
    /** When all issues were last listed, to find those that are gone. */
    listedAt: timestamp().nullable(),
  },
  indexes: [
    { name: 'tracker_connection_connector', properties: ['connectorId'] },
    { name: 'tracker_connection_list', properties: ['projectId', 'id'] },
    {
      name: 'tracker_connection_due',
      expression: 'CREATE INDEX tracker_connection_due ON tracker_connection (coalesce(resume_at, due_at))',
    },
    { name: 'tracker_connection_organization', properties: ['organizationId'] },
  ],
});

export type TrackerConnection = InferEntity<typeof TrackerConnection>;
