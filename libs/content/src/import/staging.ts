import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { ImportAction } from '#domain/import-job/import-job.rules.js';
import type { Sql } from '#query/projection.js';
import type { CellValue, RowValues } from '../formats/format-writer.js';
import type { ContentModel } from '#domain/content-models.js';
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

/** A row of the files as it waits, without what it gives. */
export interface RowHead {
  readonly position: number;
  readonly model: ContentModel;
  readonly file: string;
  readonly row: number;
  readonly id: string | null;
}

/** A row of the files as it waits. */
export interface StagedRow extends RowHead {
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

/** What was found out of a staged row. */
export interface RowChange extends RowHead {
  readonly action: ImportAction;
  /** As it was written. */
  readonly changesText: string;
}

/** A staged row with what was found out of it. */
export interface ComparedRow extends StagedRow, RowChange {}

/** A staged row by its name alone, with what it would do. */
export interface NamedRow extends RowHead {
  readonly action: ImportAction;
  /** Of questions of components alone: their answers have ids too. */
  readonly given: RowValues | null;
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

/** Rows of a model that change a field. The model comes first: looking into the changes of all rows takes long. */
export const changing = ({ job, fence }: Taking, model: ContentModel, field: string): Sql =>
  sql`job_id = ${job} AND fence = ${fence} AND CASE model WHEN ${model} THEN changes->${field} IS NOT NULL END`;

/** The rows as they were staged. */
export const stagedRows = (em: EntityManager, taking: Taking): AsyncIterable<readonly StagedRow[]> =>
  batches<StagedRow>(em, taking, { given: sql`given` });

/** The rows with what was found out of them. */
export const comparedRows = (em: EntityManager, taking: Taking): AsyncIterable<readonly ComparedRow[]> =>
  batches<ComparedRow>(em, taking, { given: sql`given`, action: sql`action`, changesText: sql`changes::text` });

/** What was found out of the rows. */
export const rowChanges = (em: EntityManager, taking: Taking): AsyncIterable<readonly RowChange[]> =>
  batches<RowChange>(em, taking, { action: sql`action`, changesText: sql`changes::text` });

/** The rows by their names. */
export const namedRows = (em: EntityManager, taking: Taking): AsyncIterable<readonly NamedRow[]> =>
  batches<NamedRow>(em, taking, {
    action: sql`action`,
    given: sql`CASE model WHEN 'component_question' THEN given END`,
  });

/**
 * All rows of a taking in batches, each of one model. While one batch is worked on, the next is read.
 *
 * @param parts what is read of a row beside its head, by name
 */
async function* batches<Row extends RowHead>(
  em: EntityManager,
  { job, fence }: Taking,
  parts: Readonly<Record<Exclude<keyof Row, keyof RowHead>, Sql>>,
): AsyncGenerator<readonly Row[], void, undefined> {
  const read = Object.entries<Sql>(parts);
  const columns = sql.join(read.map(([name, part]) => sql`${part} AS ${sql.ref(name)}`));
  const bytes = sql.join(
    read.map(([, part]) => sql`coalesce(octet_length((${part})::text), 0)`),
    sql` + `,
  );
  const fetch = async (after: number, most: number): Promise<(Row & { bytes: number })[]> => {
    const { rows } = await sql<Row & { bytes: number }>`
      SELECT position, model, file, row, item_id AS id, ${columns}, ${bytes} AS bytes
      FROM import_row WHERE job_id = ${job} AND fence = ${fence} AND position > ${after}
      ORDER BY position LIMIT ${most}`.execute(em.getKysely());
    return rows;
  };
  let next = fetch(0, BATCH_ROWS);
  try {
    for (;;) {
      const rows = await next;
      const [first] = rows;
      if (!first) return;
      const batch = rows.filter(({ model }) => model === first.model);
      // Rows can be large: as many at once as make about one piece.
      const size = rows.reduce((sum, row) => sum + row.bytes, 0);
      const most = Math.max(1, Math.min(BATCH_ROWS, Math.floor((rows.length * BATCH_CHARACTERS) / Math.max(size, 1))));
      next = fetch(batch.at(-1)?.position ?? first.position, most);
      next.catch(() => undefined); // it is awaited above
      yield batch;
    }
  } finally {
    await Promise.allSettled([next]); // who reads no further may end the transaction
  }
}
