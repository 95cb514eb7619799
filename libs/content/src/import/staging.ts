import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { ImportAction } from '#domain/import-job/import-job.rules.js';
import type { CellValue, RowValues } from '../formats/format-writer.js';
import type { ContentModel } from '../export/content-models.js';
import type { WriteBehind } from './write-behind.js';

/** Whose rows they are: a job's, as one taking of it has read them. */
export interface Taking {
  readonly job: number;
  readonly fence: number;
}

/** What would change in a field. */
export interface FieldChange {
  readonly from: CellValue;
  readonly to: CellValue;
}

export type Changes = Readonly<Record<string, FieldChange>>;

/** A row of the files as it waits. */
export interface StagedRow {
  readonly position: number;
  readonly model: ContentModel;
  readonly file: string;
  readonly row: number;
  readonly id: string | null;
  readonly given: RowValues;
}

/** Fields of rows whose values could not be read, by the rows' positions. */
export type Unread = ReadonlyMap<number, ReadonlySet<string>>;

/** What a row would do. */
export interface Outcome {
  readonly position: number;
  readonly action: ImportAction;
  readonly changes: Changes;
}

/** A staged row with what was found out of it. */
export interface ComparedRow extends StagedRow {
  readonly action: ImportAction;
  /** As it was written. */
  readonly changesText: string;
}

/** Rows that are written or read at once, by number and by size. */
const BATCH_ROWS = 1000;
const BATCH_CHARACTERS = 4 * 2 ** 20;

/** Removes the rows of earlier takings. */
export async function clearStaging(em: EntityManager, { job, fence }: Taking): Promise<void> {
  await sql`DELETE FROM import_row WHERE job_id = ${job} AND fence < ${fence}`.execute(em.getKysely());
}

/** Collects rows and writes them in batches. */
export class StagingWriter {
  private batch: string[] = [];
  private size = 0;
  private count = 0;

  constructor(
    private readonly em: EntityManager,
    private readonly taking: Taking,
    private readonly behind: WriteBehind,
  ) {}

  /** How many rows were added. */
  get rows(): number {
    return this.count;
  }

  /** Adds a row; answers its position. */
  async add(row: Omit<StagedRow, 'position'>): Promise<number> {
    this.count += 1;
    const text = JSON.stringify({ position: this.count, ...row });
    this.batch.push(text);
    this.size += text.length;
    const position = this.count;
    if (this.batch.length >= BATCH_ROWS || this.size >= BATCH_CHARACTERS) await this.flush();
    return position;
  }

  /** Writes what is left, and waits until everything is written. */
  async end(): Promise<void> {
    if (this.batch.length) await this.flush();
    await this.behind.end();
  }

  private flush(): Promise<void> {
    const rows = `[${this.batch.join(',')}]`;
    this.batch = [];
    this.size = 0;
    return this.behind.write(() => this.insert(rows));
  }

  private async insert(rows: string): Promise<void> {
    await sql`
      INSERT INTO import_row (job_id, fence, position, model, file, row, item_id, given)
      SELECT ${this.taking.job}::bigint, ${this.taking.fence}::integer, position, model, file, row, id, given
      FROM json_to_recordset(${rows}::json) AS r(position integer, model text, file text, row integer, id text, given json)`.execute(
      this.em.getKysely(),
    );
  }
}

/** Notes what rows would do. */
export async function writeOutcomes(
  em: EntityManager,
  { job, fence }: Taking,
  outcomes: readonly Outcome[],
): Promise<void> {
  await sql`
    UPDATE import_row i SET action = r.action, changes = r.changes
    FROM json_to_recordset(${JSON.stringify(outcomes)}::json) AS r(position integer, action text, changes json)
    WHERE i.job_id = ${job} AND i.fence = ${fence} AND i.position = r.position`.execute(em.getKysely());
}

interface Row {
  readonly position: number;
  readonly model: ContentModel;
  readonly file: string;
  readonly row: number;
  readonly item_id: string | null;
  readonly given: RowValues;
  readonly action: ImportAction | null;
  readonly changes: string | null;
}

/** All staged rows of a taking in batches, each of one model. */
export async function* stagedRows(
  em: EntityManager,
  { job, fence }: Taking,
): AsyncGenerator<readonly (StagedRow & Partial<Pick<ComparedRow, 'action' | 'changesText'>>)[], void, undefined> {
  let last = 0;
  let size = BATCH_ROWS;
  for (;;) {
    const { rows } = await sql<Row & { bytes: number }>`
      SELECT position, model, file, row, item_id, given, action, changes::text AS changes,
        octet_length(given::text) AS bytes
      FROM import_row WHERE job_id = ${job} AND fence = ${fence} AND position > ${last}
      ORDER BY position LIMIT ${size}`.execute(em.getKysely());
    const [first] = rows;
    if (!first) return;
    const batch = rows.filter(({ model }) => model === first.model);
    // Rows can be large: as many at once as make about one piece.
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    size = Math.max(1, Math.min(BATCH_ROWS, Math.floor((rows.length * BATCH_CHARACTERS) / Math.max(bytes, 1))));
    last = batch.at(-1)?.position ?? last;
    yield batch.map(({ item_id: id, action, changes, bytes: _bytes, ...row }) => ({
      ...row,
      id,
      ...(action !== null && { action, changesText: changes ?? '{}' }),
    }));
  }
}
