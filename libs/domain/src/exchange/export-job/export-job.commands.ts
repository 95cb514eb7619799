import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { wakeRelay } from '../../kernel/lease/wake-relay.js';
import { authorOf } from '../../kernel/operator.js';
import { tables } from '../../kernel/tables.js';
import { jobCommands } from '../job/job.commands.js';
import { ExportJob } from './export-job.entity.js';
import { exportJobMachine } from './export-job.machine.js';
import { exportTitle } from '../job/job.rules.js';
import type { ExportJobInput } from './export-job.fields.js';

const jobs = jobCommands({ machine: exportJobMachine, subject: 'export_job', titleOf: exportTitle });

export const { cancel: cancelExportJob, retry: retryExportJob } = jobs;

/** Creates a job for a worker; returns its id. */
export async function createExportJob(em: EntityManager, actor: Actor, input: ExportJobInput): Promise<string> {
  const { id } = await tables(em, ExportJob)
    .insertInto('export_job')
    .values({
      organization_id: actor.organizationId,
      type: input.type,
      file_format: input.file_format,
      content_models: [...input.content_models],
      triggered_by: authorOf(actor),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await jobs.record(em, actor, 'Created', id);
  await wakeRelay(em);
  return String(id);
}
