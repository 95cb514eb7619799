import { defineEntity, p } from '@mikro-orm/core';
import { key, references, textList, timestamp } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import { importJobMachine } from './import-job.machine.js';

/** An import that someone has triggered: docs/imports.md. */
export const ImportJob = defineEntity({
  name: 'ImportJob',
  tableName: 'import_job',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    status: p.enum(importJobMachine.states).default(importJobMachine.definition.initial),
    triggeredAt: timestamp().defaultRaw('clock_timestamp()'),
    triggeredBy: references('user_account').nullable(),
    acceptedAt: timestamp().nullable(),
    acceptedBy: references('user_account').nullable(),
    completedAt: timestamp().nullable(),
    errors: p.json<object>().columnType('json').nullable(),
    progressDone: p.integer().nullable(),
    progressTotal: p.integer().nullable(),
    /** Of one model, or, where it is null, an archive of files. */
    model: p.text().nullable(),
    fileName: p.text(),
    /** Where the upload is kept; null once it is kept no longer. */
    fileKey: p.text().nullable(),
    /** What the files say of themselves, as far as they were read. */
    type: p.text().nullable(),
    fileFormat: p.text().nullable(),
    contentModels: textList(),
    /** Counts by model and action; null where there is no difference to review. */
    summary: p.json<object>().columnType('json').nullable(),
    /** The attempt whose rows are the difference. */
    differenceFence: p.integer().nullable(),
    /** When upload and difference are removed. */
    keptUntil: timestamp(),
    dueAt: timestamp().defaultRaw('clock_timestamp()'),
    /** Until then the row counts as queued: the relay put it on the queue a moment ago. */
    queuedUntil: timestamp().nullable(),
    /** When a worker took it last: jobs are taken in turn by organization. */
    takenAt: timestamp().nullable(),
    /** About how many bytes of the database the job's rows take. */
    stagedBytes: p.bigint('number').default(0),
    /** Whether rows that only its work needed are gone. */
    trimmed: p.boolean().default(true),
    starts: p.integer().default(0),
    cancelRequested: p.boolean().default(false),
    leaseOwner: p.text().nullable(),
    leaseUntil: timestamp().nullable(),
    fence: p.integer().default(0),
  },
  indexes: [
    {
      name: 'import_job_due',
      properties: ['dueAt'],
      where: "status IN ('pending', 'generating_diff', 'applying_changes')",
    },
    { name: 'import_job_kept', properties: ['keptUntil'], where: 'file_key IS NOT NULL OR summary IS NOT NULL' },
    { name: 'import_job_list', properties: ['organizationId', 'id'] },
    { name: 'import_job_taken', properties: ['organizationId', 'takenAt'] },
    { name: 'import_job_untrimmed', properties: ['id'], where: 'NOT trimmed' },
  ],
  checks: [
    { name: 'import_job_checked_by', expression: "status <> 'generating_diff' OR lease_until IS NOT NULL" },
    {
      name: 'import_job_completed',
      expression: "(status IN ('success', 'fail', 'cancel')) = (completed_at IS NOT NULL)",
    },
    {
      name: 'import_job_lease',
      expression: "lease_until IS NULL OR status IN ('generating_diff', 'applying_changes')",
    },
    { name: 'import_job_reviewed', expression: "status <> 'ready_for_review' OR summary IS NOT NULL" },
  ],
});
