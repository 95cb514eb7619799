import type { Readable } from 'node:stream';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ContentModel, ExportType, FileFormat } from './content-models.js';
import { ExportFailure } from './export-failure.js';

/** What is to be exported. */
export interface ExportRequest {
  readonly organizationId: number;
  readonly type: ExportType;
  readonly fileFormat: FileFormat;
  readonly contentModels: readonly ContentModel[];
}

/** Rows written so far, and rows in all. */
export interface ExportProgress {
  readonly done: number;
  readonly total: number;
}

/** How the caller follows an export and ends it. */
export interface ExportWatch {
  readonly signal: AbortSignal;
  progress(progress: ExportProgress): void;
}

/**
 * Streams the ZIP of one consistent snapshot of what the organization sees. The stream fails with the signal's reason
 * once it is aborted, and with `ExportFailure` where the user can do something about it.
 *
 * @param em of the main database or of a replica
 */
export async function exportLibrary(em: EntityManager, request: ExportRequest, watch: ExportWatch): Promise<Readable> {
  watch.signal.throwIfAborted();
  await em.getConnection().execute('SELECT 1');
  throw new ExportFailure(`There are no writers for ${request.fileFormat} yet.`);
}
