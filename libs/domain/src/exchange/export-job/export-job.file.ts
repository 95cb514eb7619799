import type { EntityManager } from '@mikro-orm/postgresql';
import type { NotNull } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { now, tables } from '../../kernel/tables.js';
import { ExportJob } from './export-job.entity.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { numericId } from '../../kernel/row-to-change.js';

/** The file of a job; `none` if there is none yet (404), `expired` if it was removed (410). */
export type ExportFileState = { readonly key: string } | 'none' | 'expired';

/** Finds the file of a job of the actor's organization. Throws `NotFound` if there is no such job. */
export async function findExportFile(em: EntityManager, actor: Actor, id: string): Promise<ExportFileState> {
  const job = await tables(em, ExportJob)
    .selectFrom('export_job')
    .select((row) => ['status', 'file_key', row('file_expires_at', '<=', now).as('expired')])
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', numericId(id))
    .executeTakeFirst();
  if (!job) throw new NotFound();
  if (job.status !== 'success') return 'none';
  return job.file_key === null || job.expired ? 'expired' : { key: job.file_key };
}

/** Finds expired files. The caller removes them and then calls `markExportFileRemoved`. */
export async function findExpiredExportFiles(em: EntityManager, limit: number): Promise<string[]> {
  const jobs = await tables(em, ExportJob)
    .selectFrom('export_job')
    .select('file_key')
    .where('file_key', 'is not', null)
    .where('file_expires_at', '<=', now)
    .orderBy('file_expires_at')
    .limit(limit)
    .$narrowType<{ file_key: NotNull }>()
    .execute();
  return jobs.map((job) => job.file_key);
}

/** Records that a file was removed. */
export async function markExportFileRemoved(em: EntityManager, key: string): Promise<void> {
  await tables(em, ExportJob).updateTable('export_job').set({ file_key: null }).where('file_key', '=', key).execute();
}
