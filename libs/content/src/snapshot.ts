import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { bindTransaction, type OrganizationScoped } from '#domain/kernel/transaction.js';
import { isoTime } from '#query/expressions.js';

/** Rows in one fetch: with texts of maximum length, these are some tens of megabytes. */
const BATCH = 250;

/**
 * A consistent snapshot of the database in one read-only transaction. It must be closed. If `signal` is aborted, every
 * read fails with its reason, including one that is running.
 */
export class Snapshot {
  /** The read that is still running. There can be only one at a time. */
  private running: Promise<unknown> | undefined;
  private isClosed = false;

  private constructor(
    private readonly em: EntityManager,
    private readonly transaction: Transaction<unknown>,
    private readonly end: () => Promise<void>,
    private readonly signal: AbortSignal,
    private readonly backend: number,
    /** Time of the snapshot, in the time zone of the deployment. */
    readonly takenAt: string,
  ) {}

  /** @param scope the organization to which row-level security limits all reads; without it, there is no limit */
  static async take(em: EntityManager, signal: AbortSignal, scope?: OrganizationScoped): Promise<Snapshot> {
    signal.throwIfAborted();
    const opened = Promise.withResolvers<Transaction<unknown>>();
    const left = Promise.withResolvers<void>();
    // The form with a callback always returns the connection to the pool.
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
      // Exports read every row and look up values in small tables, for which the planner would choose sequential scans.
      // With indexes, an export takes two thirds of the time, and rows come in order without a sort on disk. There is
      // no timeout for an idle transaction: a slow reader of the export may pause, and the transaction holds no lock
      // that others wait for.
      await sql`SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),
        set_config('cursor_tuple_fraction', '1', true), set_config('statement_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)`.execute(transaction);
      if (scope) await bindTransaction(transaction, scope);
      const { rows } = await sql<{ backend: number; taken_at: string }>`
        SELECT pg_backend_pid() AS backend, ${isoTime(sql`now()`)} AS taken_at`.execute(transaction);
      const [row] = rows;
      if (!row) throw new Error('The database did not respond.');
      return new Snapshot(em, transaction, end, signal, row.backend, row.taken_at);
    } catch (error) {
      await end();
      throw error;
    }
  }

  /** All rows of a statement. */
  async rows<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    this.signal.throwIfAborted();
    if (this.isClosed) throw new Error('The snapshot is closed.'); // the pool may have given its connection to others
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
   * The rows of a statement in batches, through a cursor. While the caller processes one batch, the database prepares
   * the next. Nothing else can be read before the last one.
   */
  async *batches<Row>(statement: RawBuilder<Row>): AsyncGenerator<Row[], void, undefined> {
    const cursor = sql.id('batches');
    await this.rows(sql`DECLARE ${cursor} NO SCROLL CURSOR FOR ${statement}`);
    const fetch = (): Promise<Row[]> => this.rows(sql<Row>`FETCH ${sql.lit(BATCH)} FROM ${cursor}`);
    for (let next = fetch(); ;) {
      const rows = await next;
      if (!rows.length) break;
      next = fetch();
      next.catch(() => undefined); // awaited above; until then, a rejection must not be unhandled
      yield rows;
    }
    await this.rows(sql`CLOSE ${cursor}`);
  }

  /** Ends the transaction, and cancels a running read. */
  async close(): Promise<void> {
    this.isClosed = true;
    while (this.running) await Promise.all([this.running, this.cancel()]);
    await this.end();
  }

  private async cancel(): Promise<void> {
    await sql`SELECT pg_cancel_backend(${this.backend})`.execute(this.em.fork().getKysely());
  }
}
