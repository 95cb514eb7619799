import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { NotFound } from '../../kernel/domain-errors.js';

/** What a job has to give: its file; nothing yet (404); or nothing any more (410). */
export type ExportFileState = { readonly key: string } | 'none' | 'expired';

/** The file of a job of the actor's organization. Throws `NotFound` where there is no such job. */
export async function findExportFile(em: EntityManager, actor: Actor, id: string): Promise<ExportFileState> {
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  const { rows } = await sql<{ status: string; file_key: string | null; expired: boolean | null }>`
    SELECT status, file_key, file_expires_at <= now() AS expired FROM export_job
    WHERE organization_id = ${actor.organizationId} AND id = ${id}::bigint`.execute(em.getKysely());
  const job = rows[0];
  if (!job) throw new NotFound();
  if (job.status !== 'success') return 'none';
  return job.file_key === null || job.expired ? 'expired' : { key: job.file_key };
}

/** Files that nobody can fetch any more: to be removed, and then noted as removed. */
export async function findExpiredExportFiles(em: EntityManager, limit: number): Promise<string[]> {
  const { rows } = await sql<{ file_key: string }>`
    SELECT file_key FROM export_job WHERE file_key IS NOT NULL AND file_expires_at <= now()
    ORDER BY file_expires_at LIMIT ${limit}`.execute(em.getKysely());
  return rows.map((row) => row.file_key);
}

/** Notes that a file was removed. */
export async function forgetExportFile(em: EntityManager, key: string): Promise<void> {
  await sql`UPDATE export_job SET file_key = NULL WHERE file_key = ${key}`.execute(em.getKysely());
}
