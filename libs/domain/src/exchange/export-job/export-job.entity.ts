import { defineEntity, p } from '@mikro-orm/core';
import { textArray } from '../../kernel/schema/text-array.js';
import { key, references, timestamp } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import { exportJobMachine } from './export-job.machine.js';

/** An export that a user has triggered. The row is the truth; the queue only wakes a worker: docs/develop/jobs.md. */
export const ExportJob = defineEntity({
  name: 'ExportJob',
  tableName: 'export_job',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    status: p.enum(exportJobMachine.states).default(exportJobMachine.definition.initial),
    type: p.text(),
    fileFormat: p.text(),
    contentModels: textArray(),
    triggeredAt: timestamp().defaultRaw('clock_timestamp()'),
    triggeredBy: references('user_account').nullable(),
    completedAt: timestamp().nullable(),
    errors: p.json<object>().columnType('json').nullable(),
    progressDone: p.integer().nullable(),
    progressTotal: p.integer().nullable(),
    /** When the relay is to queue it: at once, after a back-off, or when its lease expires. */
    dueAt: timestamp().defaultRaw('clock_timestamp()'),
    /** Until then the relay does not queue it again. */
    queuedUntil: timestamp().nullable(),
    /** When a worker last claimed it, for taking turns between organizations. */
    takenAt: timestamp().nullable(),
    /** Number of attempts since it was triggered. */
    starts: p.integer().default(0),
    cancelRequested: p.boolean().default(false),
    /**
     * The worker's lease. The fence is incremented by each attempt, so that a worker that lost its lease has an
     * outdated value.
     */
    leaseOwner: p.text().nullable(),
    leaseUntil: timestamp().nullable(),
    fence: p.integer().default(0),
    fileKey: p.text().nullable(),
    fileBytes: p.bigint('number').nullable(),
    fileEtag: p.text().nullable(),
    fileExpiresAt: timestamp().nullable(),
  },
  indexes: [
    { name: 'export_job_due', properties: ['dueAt'], where: "status IN ('pending', 'in_progress')" },
    { name: 'export_job_file', properties: ['fileExpiresAt'], where: 'file_key IS NOT NULL' },
    { name: 'export_job_unfinished', properties: ['organizationId'], where: 'completed_at IS NULL' },
    { name: 'export_job_list', properties: ['organizationId', 'id'] },
    { name: 'export_job_taken', properties: ['organizationId', 'takenAt'] },
  ],
  checks: [
    { name: 'export_job_completed', expression: "(status IN ('pending', 'in_progress')) = (completed_at IS NULL)" },
    { name: 'export_job_file', expression: "file_key IS NULL OR status = 'success'" },
    { name: 'export_job_lease', expression: "(status = 'in_progress') = (lease_until IS NOT NULL)" },
  ],
});
