import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { QuotaExceeded, TooMuchWaiting } from '../../kernel/domain-errors.js';
import { lockRule } from '../../kernel/lock.js';

/** Serializes what the limits of an organization count, until the transaction ends. */
const lockJobs = (em: EntityManager, { organizationId }: Actor): Promise<void> =>
  lockRule(em, 'limits of jobs', organizationId);

/**
 * Call it before a job is created or retried. Throws `TooMuchWaiting` if the organization already has this many exports
 * and imports that have not ended, including imports that wait for review.
 */
export async function assertRoomForJob(em: EntityManager, actor: Actor, maximum: number): Promise<void> {
  await lockJobs(em, actor);
  const unfinished = (table: string) => sql`SELECT count(*) FROM ${sql.table(table)}
    WHERE organization_id = ${actor.organizationId} AND completed_at IS NULL`;
  const { rows } = await sql<{ count: number }>`
    SELECT ((${unfinished('export_job')}) + (${unfinished('import_job')}))::int AS count`.execute(em.getKysely());
  if ((rows[0]?.count ?? 0) >= maximum)
    throw new TooMuchWaiting(
      `Your organization has ${maximum} exports and imports that have not ended, which is the limit. Accept or ` +
        'cancel imports that wait for review, or wait until others have ended.',
    );
}

/** The bytes of all uploads of an organization that are stored. */
async function storedUploadBytes(em: EntityManager, organizationId: number): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`SELECT coalesce(sum(file_bytes), 0) AS bytes FROM import_job
    WHERE organization_id = ${organizationId} AND file_key IS NOT NULL`.execute(em.getKysely());
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * Call it before an upload is recorded. Returns the bytes of all uploads that are stored. Throws `QuotaExceeded` if the
 * organization's uploads would be too large.
 */
export async function assertRoomForUpload(
  em: EntityManager,
  actor: Actor,
  bytes: number,
  maximum: number,
): Promise<number> {
  await lockJobs(em, actor);
  const stored = await storedUploadBytes(em, actor.organizationId);
  if (stored + bytes > maximum) throw uploadQuotaExceeded(maximum);
  return stored;
}

/** The error of an organization whose uploads would exceed the maximum. */
export const uploadQuotaExceeded = (maximum: number): QuotaExceeded =>
  new QuotaExceeded(
    `The uploads of your organization may take up ${maximum} bytes. An upload is removed some days after its import ` +
      'has ended, and at once if it cannot be read.',
  );
