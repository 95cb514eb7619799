import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { isoTime } from '#query/expressions.js';

/** Rows that are fetched at once: with texts of the greatest length still some dozens of megabytes. */
const BATCH = 250;

/**
 * The database as it was at one moment, however long it is read: one read-only transaction. It must be closed. Once
 * `signal` is aborted, every read fails with its reason, one that is under way too.
 */
export class Snapshot {
  private cursors = 0;
  private running: Promise<unknown> | undefined;

  private constructor(
    private readonly em: EntityManager,
    private readonly transaction: Transaction<unknown>,
    private readonly end: () => Promise<void>,
    private readonly backend: number,
    /** When it was taken, in the time zone of the installation. */
    readonly takenAt: string,
    private readonly signal: AbortSignal,
  ) {}

  static async take(em: EntityManager, signal: AbortSignal): Promise<Snapshot> {
    signal.throwIfAborted();
    const opened = Promise.withResolvers<Transaction<unknown>>();
    const left = Promise.withResolvers<void>();
    // The form with a callback gives the connection back whatever becomes of it.
    const ended = em
      .fork()
      .getKysely<unknown>()
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (transaction) => {
        opened.resolve(transaction);
        await left.promise;
      });
    ended.catch(opened.reject);
    const end = async (): Promise<void> => {
      left.resolve();
      await ended;
    };
    const transaction = await opened.promise;
    try {
      signal.throwIfAborted();
      // Every row is read, with lookups in tables that are small, so that the planner would scan each of them for each
      // row. By their indexes it takes two thirds of the time, and the rows come in order, with no sort on disk.
      await sql`SET LOCAL enable_seqscan = off`.execute(transaction);
      await sql`SET LOCAL jit = off`.execute(transaction);
      const { rows } = await sql<{ backend: number; taken_at: string }>`
        SELECT pg_backend_pid() AS backend, ${isoTime(sql`now()`)} AS taken_at`.execute(transaction);
      const [row] = rows;
      if (!row) throw new Error('The database did not answer.');
      return new Snapshot(em, transaction, end, row.backend, row.taken_at, signal);
    } catch (error) {
      await end();
      throw error;
    }
  }

  /** The rows of a statement, all at once. */
  async rows<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    const { rows } = await this.run(() => statement.execute(this.transaction));
    return rows;
  }

  /**
   * The rows of a statement, in batches. While one batch is worked on, the database already prepares the next.
   *
   * @param most rows of one batch
   */
  async *batches<Row>(statement: RawBuilder<Row>, most = BATCH): AsyncGenerator<readonly Row[], void, undefined> {
    this.cursors += 1;
    const cursor = sql.id(`rows_${this.cursors}`);
    await this.rows(sql`DECLARE ${cursor} NO SCROLL CURSOR FOR ${statement}`);
    const fetch = (): Promise<Row[]> => this.rows(sql<Row>`FETCH ${sql.lit(most)} FROM ${cursor}`);
    let next = fetch();
    for (;;) {
      const rows = await next;
      if (!rows.length) break;
      next = fetch();
      // It is awaited above; until then nobody listens.
      next.catch(() => undefined);
      yield rows;
    }
    await this.rows(sql`CLOSE ${cursor}`);
  }

  /** Ends the transaction. What is under way ends first, by itself or, after an abort, by being cancelled. */
  async close(): Promise<void> {
    await this.running?.catch(() => undefined);
    await this.end();
  }

  private async run<Result>(query: () => Promise<Result>): Promise<Result> {
    this.signal.throwIfAborted();
    const answer = query();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = (): void => {
      reject(this.signal.reason);
      this.running = Promise.allSettled([answer, this.cancel()]);
    };
    this.running = answer;
    this.signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([answer, aborted]);
    } finally {
      this.signal.removeEventListener('abort', abort);
    }
  }

  private async cancel(): Promise<void> {
    await sql`SELECT pg_cancel_backend(${this.backend})`.execute(this.em.fork().getKysely());
  }
}
