import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { FileStorage } from '#platform/storage/file-storage.js';
import type { TestApi } from './api.js';
import { type ApiClient, bodyOf } from './client.js';
import { type TableLock, lockTable } from './table-locks.js';

/** An export job as the API shows it. */
export interface ExportJob {
  id: number;
  status: 'pending' | 'in_progress' | 'success' | 'fail' | 'cancel';
  triggered: string;
  triggered_by: { id: number };
  completed: string | null;
  type: string;
  file_format: string;
  content_models: string[];
  errors: { file: string | null; row: number | null; field: string | null; details: string }[] | null;
  can_retry: boolean;
  progress: { done: number; total: number } | null;
}

export const EXPORT = { type: 'content', file_format: 'csv', content_models: ['standard', 'weakness'] };

/** Requests an export of countermeasures and weaknesses. */
export const makeExport = (api: ApiClient, fields: object = {}): Promise<ExportJob> =>
  bodyOf(api.post<ExportJob>('/library/export/', { ...EXPORT, ...fields }), 200);

/** Creates a successful export with its file, in the state in which a worker would leave it. */
export async function makeFinishedExport({ api, database, running }: TestApi): Promise<ExportJob> {
  const job = await makeExport(api);
  const key = `exports/test/${job.id}.zip`;
  const { bytes, etag } = await running.app.get(FileStorage).write(key, Readable.from([Buffer.from('PK')]));
  await database.query(
    `UPDATE export_job SET status = 'success', completed_at = clock_timestamp(), file_key = $2, file_bytes = $3,
       file_etag = $4, file_expires_at = clock_timestamp() + interval '1 day' WHERE id = $1`,
    [job.id, key, bytes, etag],
  );
  return job;
}

/** Waits until the status of the job is one of these; fails after a time that a busy machine may need. */
export async function waitForExport(
  api: ApiClient,
  id: number,
  statuses: readonly ExportJob['status'][],
  seconds = 60,
): Promise<ExportJob> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const job = await bodyOf(api.get<ExportJob>(`/library/export/${id}/`));
    if (statuses.includes(job.status)) return job;
    if (Date.now() > end) throw new Error(`Export ${id} is not ${statuses.join(' or ')}: ${JSON.stringify(job)}`);
    await sleep(50);
  }
}

/**
 * Blocks all reads of match conditions, so that an export stays in progress until `release`. The scheduled tasks that a
 * worker starts with do not read them, so that it can stop meanwhile.
 */
export const blockExports = (databaseUrl: string): Promise<TableLock> =>
  lockTable(databaseUrl, 'match_condition', 'ACCESS EXCLUSIVE');

/** Names of all stored files, including those that are being written. */
export async function storedFiles(dataDirectory: string): Promise<string[]> {
  const folder = path.join(dataDirectory, 'files');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
