import { defineEntity, p } from '@mikro-orm/core';
import { key, references, textList, timestamp } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import { importJobMachine } from './import-job.machine.js';

/** An import that a user has triggered: docs/use/imports.md. */
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
    /** The model of a single file; null for an archive. */
    model: p.text().nullable(),
    fileName: p.text(),
    /** Storage key of the upload; null after its removal. */
    fileKey: p.text().nullable(),
    /** Size of the upload. */
    fileBytes: p.bigint('number').default(0),
    /** Metadata from the files, once they were read. */
    type: p.text().nullable(),
    fileFormat: p.text().nullable(),
    contentModels: textList(),
    /** Counts by model and action; null if there is no difference to review. */
    summary: p.json<object>().columnType('json').nullable(),
    /** What was interpreted in the files, for review next to the summary. */
    interpreted: p.json<object>().columnType('json').nullable(),
    /** The attempt whose rows are the difference. */
    differenceFence: p.integer().nullable(),
    /** When upload and difference are removed. */
    keptUntil: timestamp(),
    dueAt: timestamp().defaultRaw('clock_timestamp()'),
    /** Until then the relay does not queue it again. */
    queuedUntil: timestamp().nullable(),
    /** When a worker last claimed it, for taking turns between organizations. */
    takenAt: timestamp().nullable(),
    /** Approximate size of the job's rows in the database, in bytes. */
    stagedBytes: p.bigint('number').default(0),
    /** Whether rows that only the work needed were removed. */
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
    { name: 'import_job_stored', properties: ['organizationId'], where: 'file_key IS NOT NULL' },
    { name: 'import_job_unfinished', properties: ['organizationId'], where: 'completed_at IS NULL' },
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
