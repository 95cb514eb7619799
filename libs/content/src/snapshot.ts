import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { bindTransaction, type OrganizationScoped } from '#domain/kernel/transaction.js';
import { isoTime } from '#query/expressions.js';

/** Rows that are fetched at once: with texts of the greatest length still some dozens of megabytes. */
const BATCH = 250;

/**
 * The database as it was at one moment, however long it is read: one read-only transaction. It must be closed. Once
 * `signal` is aborted, every read fails with its reason, one that is under way too.
 */
export class Snapshot {
  /** The read that has not come to its end: nothing else is read at the same time. */
  private running: Promise<unknown> | undefined;
  private isClosed = false;

  private constructor(
    private readonly em: EntityManager,
    private readonly transaction: Transaction<unknown>,
    private readonly end: () => Promise<void>,
    private readonly signal: AbortSignal,
    private readonly backend: number,
    /** When it was taken, in the time zone of the installation. */
    readonly takenAt: string,
  ) {}

  /** @param scope whose rows are read: then PostgreSQL keeps it from those of others; all, where none is named */
  static async take(em: EntityManager, signal: AbortSignal, scope?: OrganizationScoped): Promise<Snapshot> {
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
      await ended.catch(() => undefined); // nothing was written
    };
    const transaction = await opened.promise;
    try {
      signal.throwIfAborted();
      // Every row is read, with lookups in tables that are small, so that the planner would scan each of them for each
      // row. By their indexes it takes two thirds of the time, and the rows come in order, with no sort on disk. It
      // waits for whoever takes the rows, and keeps no lock that others wait for.
      await sql`SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),
        set_config('cursor_tuple_fraction', '1', true), set_config('statement_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)`.execute(transaction);
      if (scope) await bindTransaction(transaction, scope);
      const { rows } = await sql<{ backend: number; taken_at: string }>`
        SELECT pg_backend_pid() AS backend, ${isoTime(sql`now()`)} AS taken_at`.execute(transaction);
      const [row] = rows;
      if (!row) throw new Error('The database did not answer.');
      return new Snapshot(em, transaction, end, signal, row.backend, row.taken_at);
    } catch (error) {
      await end();
      throw error;
    }
  }

  /** The rows of a statement, all at once. */
  async rows<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    this.signal.throwIfAborted();
    if (this.isClosed) throw new Error('The snapshot is closed.'); // its connection may be in use by others
    if (this.running) throw new Error('The snapshot is being read.');
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = (): void => reject(this.signal.reason);
    this.signal.addEventListener('abort', abort, { once: true });
    const reading = statement.execute(this.transaction);
    const ended = (): void => {
      this.signal.removeEventListener('abort', abort);
      this.running = undefined;
    };
    this.running = reading.then(ended, ended);
    const { rows } = await Promise.race([reading, aborted]);
    return rows;
  }

  /**
   * The rows of a statement in batches, through a cursor. While one is worked on, the database already prepares the
   * next: nothing else can be read until all were.
   */
  async *batches<Row>(statement: RawBuilder<Row>): AsyncGenerator<Row[], void, undefined> {
    const cursor = sql.id('batches');
    await this.rows(sql`DECLARE ${cursor} NO SCROLL CURSOR FOR ${statement}`);
    const fetch = (): Promise<Row[]> => this.rows(sql<Row>`FETCH ${sql.lit(BATCH)} FROM ${cursor}`);
    for (let next = fetch(); ;) {
      const rows = await next;
      if (!rows.length) break;
      next = fetch();
      next.catch(() => undefined); // it is awaited above; until then nothing listens
      yield rows;
    }
    await this.rows(sql`CLOSE ${cursor}`);
  }

  /** Ends the transaction. A read that has not come to its end is cancelled. */
  async close(): Promise<void> {
    this.isClosed = true;
    while (this.running) await Promise.all([this.running, this.cancel()]);
    await this.end();
  }

  private async cancel(): Promise<void> {
    await sql`SELECT pg_cancel_backend(${this.backend})`.execute(this.em.fork().getKysely());
  }
}
