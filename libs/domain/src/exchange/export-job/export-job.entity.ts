import { defineEntity, p } from '@mikro-orm/core';
import { textArray } from '../../kernel/schema/text-array.js';
import { key, references, timestamp } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import { exportJobMachine } from './export-job.machine.js';

/** An export that someone has triggered. The row is the truth, the queue only wakes a worker: docs/jobs.md. */
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
    /** When the relay shall look at it: at once, when it shall be tried again, when its lease has run out. */
    dueAt: timestamp().defaultRaw('clock_timestamp()'),
    /** Until then the row counts as queued: the relay put it on the queue a moment ago. */
    queuedUntil: timestamp().nullable(),
    /** When a worker took it last: jobs are taken in turn by organization. */
    takenAt: timestamp().nullable(),
    /** How often a worker has taken it since it was triggered. */
    starts: p.integer().default(0),
    cancelRequested: p.boolean().default(false),
    /** Who works on it and until when. The fence counts every attempt: a worker that wakes up late holds an old one. */
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
    { name: 'export_job_list', properties: ['organizationId', 'id'] },
    { name: 'export_job_taken', properties: ['organizationId', 'takenAt'] },
  ],
  checks: [
    { name: 'export_job_completed', expression: "(status IN ('pending', 'in_progress')) = (completed_at IS NULL)" },
    { name: 'export_job_file', expression: "file_key IS NULL OR status = 'success'" },
    { name: 'export_job_lease', expression: "(status = 'in_progress') = (lease_until IS NOT NULL)" },
  ],
});
