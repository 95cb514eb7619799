import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { everyRow } from '#query/every-row.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { WRITERS } from '#files/formats.js';
import { rowCount, type Rows } from '#files/rows.js';
import type { Column, ModelDescription } from '../models/content-model.js';
import { describe } from '../models/models.js';
import { type ExportSize, exportSizeOf } from './export-size.js';
import { FORMAT_VERSION, type Manifest, MANIFEST_FILE, type ManifestEntry, PRODUCT } from './manifest.js';
import type { ExportRequest } from './export-request.js';
import { organizationReading } from '../reading.js';
import { Snapshot } from '../snapshot.js';
import { zip, type ZipEntry } from '#files/zip.js';

/** Rows written so far, and rows in all. */
export interface ExportProgress {
  readonly done: number;
  readonly total: number;
}

/** How the caller follows an export, and ends it. */
export interface ExportWatch {
  readonly signal: AbortSignal;
  /** Called before the first row and after every batch of rows: often, so it should do little. */
  progress(progress: ExportProgress): void;
}

/**
 * Streams the ZIP of one consistent snapshot of what the organization sees. The stream fails with the signal's reason
 * once that is aborted, and with `FileTooLarge` where the user can do something about it. It must be read or destroyed,
 * since a transaction lasts as long as it does.
 *
 * @param em of the main database or of a replica
 */
export async function exportLibrary(em: EntityManager, request: ExportRequest, watch: ExportWatch): Promise<Readable> {
  const { signal } = watch;
  const snapshot = await Snapshot.take(em, signal);
  const archive = Readable.from(new Export(snapshot, request, watch).archive(), { objectMode: false });
  const abort = (): void => void archive.destroy(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  // Comes also where nobody has read from it. An error of the connection has reached the reader by then.
  archive.once('close', () => {
    signal.removeEventListener('abort', abort);
    snapshot.close().catch(() => undefined);
  });
  return archive;
}

/** Rows of a model as texts: PostgreSQL takes twice as long to write a row as one JSON text. */
const asTexts = (columns: readonly Column[], rows: Sql): Sql =>
  sql`SELECT ${sql.join(columns.map(({ name }) => sql`${sql.ref(`r.${name}`)}::text`))} FROM (${rows}) r`;

interface Part {
  readonly model: ModelDescription;
  readonly extent: ExportSize;
}

class Export {
  private done = 0;
  private total = 0;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly request: ExportRequest,
    private readonly watch: ExportWatch,
  ) {}

  async *archive(): AsyncGenerator<Buffer, void, undefined> {
    const flags = await this.snapshot.rows(sql<{ name: string }>`
      SELECT name FROM feature_flag WHERE organization_id = ${this.request.organizationId}`);
    const reading = organizationReading(this.request.organizationId, new Set(flags.map(({ name }) => name)));
    const parts: Part[] = [];
    for (const model of this.request.contentModels.map(describe)) {
      const extent = await exportSizeOf(this.snapshot, model, this.request, reading);
      this.total += extent.rows;
      parts.push({ model, extent });
    }
    this.watch.progress({ done: 0, total: this.total });
    yield* zip(this.entries(parts, reading), new Date(this.snapshot.takenAt));
  }

  private async *entries(parts: readonly Part[], reading: QueryContext): AsyncGenerator<ZipEntry, void, undefined> {
    const { type, fileFormat } = this.request;
    const { compression } = WRITERS[fileFormat];
    const written: ManifestEntry[] = [];
    for (const part of parts) {
      const file = `${part.model.name}.${fileFormat}`;
      const hash = createHash('sha256');
      const before = this.done;
      yield { name: file, content: this.file(part, reading, hash), compression };
      written.push({ model: part.model.name, file, rows: this.done - before, sha256: hash.digest('hex') });
    }
    const manifest: Manifest = {
      format_version: FORMAT_VERSION,
      product: PRODUCT,
      type,
      file_format: fileFormat,
      created: this.snapshot.takenAt,
      content_models: written,
    };
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    yield { name: MANIFEST_FILE, content: [Buffer.from(text)], compression: WRITERS.json.compression };
  }

  private async *file(
    { model, extent }: Part,
    reading: QueryContext,
    hash: Hash,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { name, columns } = model;
    const sheet = { model: name, columns, cells: extent.cells };
    for await (const piece of WRITERS[this.request.fileFormat].write(sheet, this.batches(model, reading))) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      hash.update(bytes);
      yield bytes;
    }
  }

  private async *batches(
    { columns, rows }: ModelDescription,
    reading: QueryContext,
  ): AsyncGenerator<Rows, void, undefined> {
    if (this.request.type === 'template') return;
    for await (const batch of this.snapshot.copy(asTexts(columns, everyRow(rows, reading)))) {
      yield batch;
      this.done += rowCount(batch, columns.length);
      this.watch.progress({ done: this.done, total: this.total });
    }
  }
}
