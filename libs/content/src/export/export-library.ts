import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { selectEveryRow } from '#query/every-row.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { FORMATS } from '#files/formats.js';
import type { Row, RowValue } from '#files/rows.js';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import type { Column, ModelDescription } from '../models/content-model.js';
import { describe } from '../models/models.js';
import { type ExportSize, exportSizeOf, type ExportRequest } from './export-size.js';
import { FORMAT_VERSION, type Manifest, MANIFEST_FILE, type ManifestEntry, PRODUCT } from './manifest.js';
import { organizationContext } from '../organization-context.js';
import { Snapshot } from '../snapshot.js';
import { zip } from '#files/archives/zip.js';

/** Number of rows written so far, and in total. */
export interface ExportProgress {
  readonly done: number;
  readonly total: number;
}

/** Reports the progress of an export, and can cancel it. */
export interface ExportWatch {
  readonly signal: AbortSignal;
  /** Called before the first row and after every batch: often, so it should be fast. */
  progress(progress: ExportProgress): void;
}

/**
 * Streams a ZIP archive of a consistent snapshot of what the organization can see. The stream fails with the signal's
 * reason if that is aborted, and with `FileTooLarge` if a file exceeds a limit of its format. The caller must read or
 * destroy the stream, because it holds a transaction.
 *
 * @param em of the main database or of a replica
 */
export async function exportLibrary(em: EntityManager, request: ExportRequest, watch: ExportWatch): Promise<Readable> {
  const { signal } = watch;
  const snapshot = await Snapshot.take(em, signal, request);
  const archive = new Export(snapshot, request, watch).archive();
  const abort = (): void => void archive.destroy(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  // This event also occurs if the stream was never read. The reader has already received any error of the connection.
  archive.once('close', () => {
    signal.removeEventListener('abort', abort);
    snapshot.close().catch(() => undefined);
  });
  return archive;
}

/** The values of a row by column, as the driver returns them. */
type DriverRow = Readonly<Record<string, string | number | boolean | null>>;

/** All columns except integers and booleans are selected as texts, including JSON, which files contain unchanged. */
const isText = ({ type }: Column): boolean => type !== 'integer' && type !== 'boolean';

const selectForFile = (columns: readonly Column[], rows: Sql): RawBuilder<DriverRow> => {
  const values = columns.map((column) => {
    const value = sql.ref(`r.${column.name}`);
    return sql`${isText(column) ? sql`${value}::text` : value} AS ${sql.ref(column.name)}`;
  });
  return sql<DriverRow>`SELECT ${sql.join(values)} FROM (${rows}) r`;
};

function valueOf({ type }: Column, value: DriverRow[string] | undefined): RowValue {
  if (value === null || value === undefined) return null;
  if (type === 'integer') return Number(value); // the driver returns 64-bit integers as texts
  return type === 'list' || type === 'json' ? { json: String(value) } : value;
}

/** What must be known before the first row is written. */
interface Plan {
  readonly context: QueryContext;
  readonly sizes: ReadonlyMap<ContentModel, ExportSize>;
}

class Export {
  private done = 0;
  private total = 0;
  private planned: Promise<Plan> | undefined;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly request: ExportRequest,
    private readonly watch: ExportWatch,
  ) {}

  archive(): Readable {
    const { contentModels, fileFormat } = this.request;
    const { compression } = FORMATS[fileFormat].writer;
    const written: ManifestEntry[] = [];
    const entries = contentModels.map((model) => {
      const name = `${model}.${fileFormat}`;
      return { name, content: this.file(describe(model), name, written), compression };
    });
    const manifest = {
      name: MANIFEST_FILE,
      content: this.manifest(written),
      compression: FORMATS.json.writer.compression,
    };
    return zip([...entries, manifest], new Date(this.snapshot.takenAt));
  }

  private async plan(): Promise<Plan> {
    const { organizationId, contentModels } = this.request;
    const flags = await this.snapshot.rows(sql<{ name: string }>`
      SELECT name FROM feature_flag WHERE organization_id = ${organizationId}`);
    const context = organizationContext(organizationId, new Set(flags.map(({ name }) => name)));
    const sizes = new Map<ContentModel, ExportSize>();
    for (const model of contentModels) {
      const size = await exportSizeOf(this.snapshot, describe(model), this.request, context);
      this.total += size.rows;
      sizes.set(model, size);
    }
    this.watch.progress({ done: 0, total: this.total });
    return { context, sizes };
  }

  /** The last file of the archive, because it describes the others. */
  private async *manifest(written: readonly ManifestEntry[]): AsyncGenerator<Uint8Array, void, undefined> {
    const { type, fileFormat } = this.request;
    const manifest: Manifest = {
      format_version: FORMAT_VERSION,
      product: PRODUCT,
      type,
      file_format: fileFormat,
      created: this.snapshot.takenAt,
      content_models: written,
    };
    yield Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  }

  private async *file(
    model: ModelDescription,
    file: string,
    written: ManifestEntry[],
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { name, columns } = model;
    const hash = createHash('sha256');
    const before = this.done;
    const { context, sizes } = await (this.planned ??= this.plan());
    const sheet = { model: name, columns, cells: sizes.get(name)?.cells ?? new Map<string, number>() };
    for await (const piece of FORMATS[this.request.fileFormat].writer.write(sheet, this.batches(model, context))) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      hash.update(bytes);
      yield bytes;
    }
    written.push({ model: name, file, rows: this.done - before, sha256: hash.digest('hex') });
  }

  private async *batches(
    { columns, rows }: ModelDescription,
    context: QueryContext,
  ): AsyncGenerator<readonly Row[], void, undefined> {
    if (this.request.type === 'template') return;
    for await (const batch of this.snapshot.batches(selectForFile(columns, selectEveryRow(rows, context)))) {
      yield batch.map((row) => columns.map((column) => valueOf(column, row[column.name])));
      this.done += batch.length;
      this.watch.progress({ done: this.done, total: this.total });
    }
  }
}
