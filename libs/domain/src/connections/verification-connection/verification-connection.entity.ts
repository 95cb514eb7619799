import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, timestamp, updatedAt } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import { MERGES } from '../../projects/project-countermeasure/project-countermeasure.rules.js';
import { FREQUENCIES } from '../tracker-connection/tracker-connection.rules.js';

/** Where the results of a tool come from that verify the countermeasures of a project: docs/integrate/sonarqube.md. */
export const VerificationConnection = defineEntity({
  name: 'VerificationConnection',
  tableName: 'verification_connection',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    projectId: references('project', { onDelete: 'cascade' }),
    connectorId: references('connector'),
    projectKey: p.text(),
    /** Empty: the main branch. */
    branch: p.text().default(''),
    frequency: p.enum(FREQUENCIES).default('manually'),
    merge: p.enum(MERGES).default('replace_same_tool'),
    updateStatus: p.boolean().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** When the next run is due; null: only if someone asks for it. */
    dueAt: timestamp().nullable(),
    /** Until then the relay does not queue it again. */
    queuedUntil: timestamp().nullable(),
    /** The lease of a worker. Each lease increments the fence, so that an expired one is recognized. */
    leaseOwner: p.text().nullable(),
    leaseUntil: timestamp().nullable(),
    fence: p.integer().default(0),
    /** How many runs have failed since the last that succeeded. */
    failures: p.integer().default(0),
    /** When the last run ended, why it failed, and how many countermeasures it verified. */
    finishedAt: timestamp().nullable(),
    error: p.text().nullable(),
    verified: p.integer().default(0),
  },
  indexes: [
    { name: 'verification_connection_connector', properties: ['connectorId'] },
    { name: 'verification_connection_list', properties: ['projectId', 'id'] },
    { name: 'verification_connection_due', properties: ['dueAt'] },
    { name: 'verification_connection_organization', properties: ['organizationId'] },
  ],
});

export type VerificationConnection = InferEntity<typeof VerificationConnection>;
