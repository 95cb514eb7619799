import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { jobError } from '../job/job.rules.js';
import { importJobMachine } from './import-job.machine.js';
import { KEPT_DAYS, type ReviewedImport, STAGED_ROW_BYTES } from './import-job.rules.js';
import { numericId } from '../../kernel/row-to-change.js';

/** The counts of a job's difference; `none` if there is none yet (404), `expired` if it was removed (410). */
export type DifferenceState = ReviewedImport | 'none' | 'expired';

/** Finds the difference of a job of the actor's organization. Throws `NotFound` if there is no such job. */
export async function findDifference(em: EntityManager, actor: Actor, id: string): Promise<DifferenceState> {
  const { rows } = await sql<{
    summary: ReviewedImport['summary'] | null;
    interpreted: ReviewedImport['interpreted'] | null;
    expired: boolean;
  }>`
    SELECT summary, interpreted, kept_until <= now() AS expired FROM import_job
    WHERE organization_id = ${actor.organizationId} AND id = ${numericId(id)}::bigint`.execute(em.getKysely());
  const job = rows[0];
  if (!job) throw new NotFound();
  if (job.expired) return 'expired';
  return job.summary === null ? 'none' : { summary: job.summary, interpreted: job.interpreted ?? [] };
}

/**
 * Finds expired uploads and cancels jobs that still wait for review. The caller removes the files and then calls
 * `dropExpiredDifference`.
 */
export async function findExpiredImports(
  em: EntityManager,
  limit: number,
): Promise<{ id: string; key: string | null }[]> {
  const errors = JSON.stringify([jobError(`No one accepted it within ${KEPT_DAYS} days.`)]);
  const { rows } = await sql<{ id: string; file_key: string | null; status: string }>`
    SELECT id, file_key, status FROM import_job
    WHERE kept_until <= now() AND (file_key IS NOT NULL OR summary IS NOT NULL)
      AND status NOT IN ('pending', 'generating_diff', 'applying_changes')
    ORDER BY kept_until LIMIT ${limit}`.execute(em.getKysely());
  // Stryker disable next-line MethodExpression,ConditionalExpression: the machine makes the move from this state only.
  for (const { id } of rows.filter(({ status }) => status === 'ready_for_review'))
    await importJobMachine.tryMove(em, 'expire', {
      where: sql`item.id = ${id} AND item.kept_until <= now()`,
      set: sql`completed_at = clock_timestamp(), errors = ${errors}::json`,
    });
  return rows.map(({ id, file_key: key }) => ({ id, key }));
}

/** Drops the difference of a job whose upload was removed, unless the job was retried concurrently. */
export async function dropExpiredDifference(em: EntityManager, id: string): Promise<void> {
  await sql`
    WITH forgotten AS (
      UPDATE import_job SET file_key = NULL, summary = NULL, interpreted = NULL,
        difference_fence = NULL, staged_bytes = 0, trimmed = true
      WHERE id = ${id} AND kept_until <= now() AND status IN ('success', 'fail', 'cancel') RETURNING id)
    DELETE FROM import_row WHERE job_id IN (SELECT id FROM forgotten)`.execute(em.getKysely());
}

/**
 * Removes the rows of an ended job that its difference does not show, and the columns of the others that only the work
 * needed. Returns false if there is no such job.
 */
export async function trimEndedImport(em: EntityManager): Promise<boolean> {
  const database = em.getKysely();
  const { rows } = await sql<{ id: string; difference_fence: number | null }>`
    SELECT id, difference_fence FROM import_job WHERE NOT trimmed AND status IN ('success', 'fail', 'cancel')
    LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(database);
  const [job] = rows;
  if (!job) return false;
  await sql`DELETE FROM import_row WHERE job_id = ${job.id}
    AND (action = 'unchanged' OR fence IS DISTINCT FROM ${job.difference_fence}::integer)`.execute(database);
  await sql`UPDATE import_row SET given = NULL, size = octet_length(changes::text)
    WHERE job_id = ${job.id} AND given IS NOT NULL`.execute(database);
  await sql`UPDATE import_job SET trimmed = true, staged_bytes = (
      SELECT coalesce(sum(size + ${STAGED_ROW_BYTES}::integer), 0) FROM import_row WHERE job_id = ${job.id})
    WHERE id = ${job.id}`.execute(database);
  return true;
}
