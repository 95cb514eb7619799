import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { PoolClient, QueryResultRow } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { isoTime } from '#query/expressions.js';
import { literalText } from '#query/literal-text.js';
import type { Sql } from '#query/query-context.js';
import type { Rows } from '#files/rows.js';
import { copiedRows } from './binary-copy.js';

/**
 * The database as it was at one moment, however long it is read: one read-only transaction. It must be closed. Once
 * `signal` is aborted, every read fails with its reason, one that is under way too.
 */
export class Snapshot {
  /** Whether a read has not come to its end: nothing else can be read. */
  private isBusy = false;
  private isClosed = false;

  private constructor(
    private readonly em: EntityManager,
    private readonly client: PoolClient,
    private readonly signal: AbortSignal,
    private readonly backend: number,
    /** When it was taken, in the time zone of the installation. */
    readonly takenAt: string,
  ) {}

  static async take(em: EntityManager, signal: AbortSignal): Promise<Snapshot> {
    signal.throwIfAborted();
    const pool = await em.getConnection().getNativeClient();
    const client = await pool.connect();
    try {
      signal.throwIfAborted();
      // Every row is read, with lookups in tables that are small, so that the planner would scan each of them for each
      // row. By their indexes it takes two thirds of the time, and the rows come in order, with no sort on disk.
      await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
        SET LOCAL enable_seqscan = off; SET LOCAL jit = off; SET LOCAL statement_timeout = 0;
        SET LOCAL DateStyle = ISO; SET LOCAL standard_conforming_strings = on`);
      const { rows } = await client.query<{ backend: number; taken_at: string }>(
        sql`SELECT pg_backend_pid() AS backend, ${isoTime(sql`now()`)} AS taken_at`.compile(em.getKysely()).sql,
      );
      const [row] = rows;
      if (!row) throw new Error('The database did not answer.');
      return new Snapshot(em, client, signal, row.backend, row.taken_at);
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** The rows of a statement, all at once. */
  async rows<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    const { sql: text, parameters } = statement.compile(this.em.getKysely());
    const { rows } = await this.read(() => this.client.query<Row & QueryResultRow>(text, [...parameters]));
    return rows;
  }

  /** The rows of a statement all of whose columns are texts, as they come: the quickest way to read many. */
  async *copy(statement: Sql): AsyncGenerator<Rows, void, undefined> {
    this.assertOpen();
    const copied = this.client.query(copyTo(`COPY (${literalText(statement)}) TO STDOUT (FORMAT binary)`));
    this.isBusy = true;
    const abort = (): void => void copied.destroy(this.signal.reason);
    this.signal.addEventListener('abort', abort, { once: true });
    // An error may come when nobody reads any more.
    copied.on('error', () => undefined);
    try {
      yield* copiedRows(copied);
      this.isBusy = false;
    } catch (error) {
      this.isBusy = this.signal.aborted; // the database ends what it fails at
      throw error;
    } finally {
      this.signal.removeEventListener('abort', abort);
    }
  }

  /** Ends the transaction. A read that has not come to its end is cancelled, and its connection closed. */
  async close(): Promise<void> {
    this.isClosed = true;
    const { isBusy } = this;
    const ended = await (isBusy ? this.cancel() : this.client.query('COMMIT')).then(
      () => !isBusy,
      () => false, // nothing was written
    );
    this.client.release(!ended);
  }

  private assertOpen(): void {
    this.signal.throwIfAborted();
    if (this.isClosed) throw new Error('The snapshot is closed.'); // its connection may be somebody else's
    if (this.isBusy) throw new Error('The snapshot is being read.');
  }

  private async read<Result>(query: () => Promise<Result>): Promise<Result> {
    this.assertOpen();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = (): void => {
      this.isBusy = true;
      reject(this.signal.reason);
    };
    this.signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([query(), aborted]);
    } finally {
      this.signal.removeEventListener('abort', abort);
    }
  }

  private async cancel(): Promise<void> {
    await sql`SELECT pg_cancel_backend(${this.backend})`.execute(this.em.fork().getKysely());
  }
}
