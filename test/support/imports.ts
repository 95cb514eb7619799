import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import type { EntityManager } from '@mikro-orm/postgresql';
import JSZip from 'jszip';

import { CONTENT_MODELS, type ContentModel, type FileFormat } from '#domain/exchange/job/content-models.js';
import { exportLibrary } from '#content/export/export-library.js';
import type { TestApi } from './api.js';
import { type ApiClient, bodyOf, type Json } from './client.js';
import type { ExportJob } from './exports.js';

/** An import job as the API shows it. */
export interface ImportJob extends Omit<ExportJob, 'status' | 'type' | 'file_format'> {
  status: 'pending' | 'generating_diff' | 'ready_for_review' | 'applying_changes' | 'success' | 'fail' | 'cancel';
  type: string | null;
  file_format: string | null;
  accepted: string | null;
  accepted_by: { id: number } | null;
}

/** One row of a difference. */
export interface ImportChange {
  model: ContentModel;
  id: string | null;
  row: number;
  action: 'created' | 'updated' | 'deactivated';
  changes: Record<string, { from: Json; to: Json }>;
}

/** Something that a file does not contain as exports do. */
export interface ImportInterpretation {
  kind: string;
  file: string;
  field: string | null;
  row: number | null;
  count: number;
  details: string;
}

/** A difference as the API shows it. */
export interface ImportDifference {
  summary: Record<string, Record<'created' | 'updated' | 'unchanged' | 'deactivated', number>>;
  interpreted: ImportInterpretation[];
  count: number;
  next: string | null;
  previous: string | null;
  results: ImportChange[];
}

/** A part of a multipart form. */
export interface Part {
  readonly name: string;
  readonly content: string | Buffer;
  readonly fileName?: string;
}

/** A multipart form as browsers send it. */
export function formOf(parts: readonly Part[]): { raw: Buffer; headers: Record<string, string> } {
  const boundary = `----merlon${randomBytes(8).toString('hex')}`;
  const pieces = parts.flatMap(({ name, content, fileName }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: application/octet-stream`,
    '\r\n\r\n',
    content,
    '\r\n',
  ]);
  const raw = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
  return { raw, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } };
}

/** Uploads a form for an import. */
export const upload = (api: ApiClient, ...parts: Part[]) =>
  api.post<ImportJob>('/library/import/', undefined, formOf(parts));

/** Uploads one file of a model. */
export const importFile = (
  api: ApiClient,
  model: ContentModel,
  content: string | Buffer,
  format: FileFormat = 'json',
): Promise<ImportJob> =>
  bodyOf(
    upload(api, { name: 'file', fileName: `${model}.${format}`, content }, { name: 'model', content: model }),
    201,
  );

/** Uploads rows of a model, as JSON. */
export const importRows = (api: ApiClient, model: ContentModel, ...rows: object[]): Promise<ImportJob> =>
  importFile(api, model, JSON.stringify({ model, rows }));

/** Creates an empty import that is ready for review, in the state in which a worker would leave it. */
export async function makeReadyImport({ api, database }: TestApi): Promise<ImportJob> {
  const job = await importRows(api, 'standard');
  await database.query(
    `UPDATE import_job SET status = 'ready_for_review', summary = '{}', difference_fence = 1 WHERE id = $1`,
    [job.id],
  );
  return job;
}

const RESTING = ['ready_for_review', 'success', 'fail', 'cancel'] as const;

/** Waits until the status of the job is one of these; fails after a time that a busy machine may need. */
export async function waitForImport(
  api: ApiClient,
  { id }: Pick<ImportJob, 'id'>,
  statuses: readonly ImportJob['status'][] = RESTING,
  seconds = 60,
): Promise<ImportJob> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const job = await bodyOf(api.get<ImportJob>(`/library/import/${id}/`));
    if (statuses.includes(job.status)) return job;
    if (Date.now() > end) throw new Error(`Import ${id} is not ${statuses.join(' or ')}: ${JSON.stringify(job)}`);
    await sleep(50);
  }
}

export const patchImport = (api: ApiClient, { id }: Pick<ImportJob, 'id'>, status: string) =>
  api.patch<ImportJob>(`/library/import/${id}/`, { status });

export const differenceOf = (api: ApiClient, { id }: Pick<ImportJob, 'id'>): Promise<ImportDifference> =>
  bodyOf(api.get<ImportDifference>(`/library/import/${id}/diff/`, { page_size: 1000 }));

/** Waits for the difference, accepts it and waits for the end, which must be success. */
export async function acceptImport(api: ApiClient, job: Pick<ImportJob, 'id'>): Promise<ImportJob> {
  const ready = await waitForImport(api, job);
  if (ready.status !== 'ready_for_review') throw new Error(`The import is ${JSON.stringify(ready)}.`);
  await bodyOf(patchImport(api, job, 'accept'));
  const ended = await waitForImport(api, job);
  if (ended.status !== 'success') throw new Error(`The import ended as ${JSON.stringify(ended)}.`);
  return ended;
}

/** An export archive of everything that an organization sees. */
export async function exportAll(em: EntityManager, organizationId: number, fileFormat: FileFormat): Promise<Buffer> {
  const request = { organizationId, type: 'content' as const, fileFormat, contentModels: CONTENT_MODELS };
  const watch = { signal: new AbortController().signal, progress: () => undefined };
  return buffer(await exportLibrary(em, request, watch));
}

/** An archive of these files with a manifest, as in exports. */
export async function archiveOf(
  files: Readonly<Record<string, string | Buffer>>,
  manifest: object = {},
): Promise<Buffer> {
  const zip = new JSZip();
  for (const [name, content] of Object.entries(files)) zip.file(name, content);
  const format = Object.keys(files)[0]?.split('.').at(-1) ?? 'json';
  const models = Object.entries(files).map(([file, content]) => ({
    model: file.split('.')[0],
    file,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  const whole = {
    format_version: 1,
    product: 'Merlon',
    type: 'content',
    file_format: format,
    created: '2026-03-04T15:43:51.615743+00:00',
    content_models: models,
    ...manifest,
  };
  zip.file('manifest.json', JSON.stringify(whole));
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}
