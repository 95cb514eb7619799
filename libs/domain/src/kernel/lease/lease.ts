import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#query/query-context.js';

/** A row that workers lease. A worker has the row only while the row's fence is that of its lease. */
export type Fenced = {
  readonly id: number;
  readonly fence: number;
};

/** The columns of a lease. */
interface LeaseColumns {
  readonly key: string;
  /** The process that has the row, for operators. Null if the table does not store it. */
  readonly owner: string | null;
  readonly until: string;
  readonly fence: string;
  /** Until when the relay does not queue the row again. */
  readonly queuedUntil: string;
}

const USUAL_COLUMNS: LeaseColumns = {
  key: 'id',
  owner: 'lease_owner',
  until: 'lease_until',
  fence: 'fence',
  queuedUntil: 'queued_until',
};

/** A table whose rows workers lease. */
interface LeasedTable {
  readonly table: string;
  /** Columns with other names than usual. */
  readonly columns?: Partial<LeaseColumns>;
  /** If no worker leases a queued row within this time, the relay queues it again: its queue entry may be lost. */
  readonly requeueSeconds: number;
  /**
   * Whether the fence counts only the leases of workers that died, not every lease. Then a row keeps the key of its
   * queue entry from lease to lease, and has one entry at most.
   */
  readonly countsLostWorkersOnly?: boolean;
}

/** The rows that the relay queues. */
interface RowsToQueue {
  /** A condition on rows `item`. */
  readonly where: Sql;
  readonly orderBy: Sql;
  readonly limit: number;
}

const after = (seconds: number): Sql => sql`now() + make_interval(secs => ${seconds})`;

/**
 * The rules by which one worker at a time has a row of a table: conditions and assignments for statements that call the
 * row `item`. The relay only marks rows as queued, to wake workers; the lease alone decides which worker has a row.
 */
export class Lease {
  /** The condition that no worker has the row. */
  readonly isFree: RawBuilder<boolean>;
  /** The condition that the row was not queued just now. */
  readonly isUnqueued: RawBuilder<boolean>;
  /** Assignments that end a lease. */
  readonly ended: Sql;
  private readonly table: Sql;
  private readonly columns: LeaseColumns;
  private readonly nextFence: Sql;

  constructor(private readonly leased: LeasedTable) {
    this.table = sql.table(leased.table);
    this.columns = { ...USUAL_COLUMNS, ...leased.columns };
    const { owner, until, queuedUntil } = this.columns;
    this.isFree = sql`(${item(until)} IS NULL OR ${item(until)} < now())`;
    this.isUnqueued = sql`(${item(queuedUntil)} IS NULL OR ${item(queuedUntil)} <= now())`;
    this.ended = sql`${owner === null ? sql`` : sql`${sql.ref(owner)} = NULL, `}${sql.ref(until)} = NULL,
      ${sql.ref(queuedUntil)} = now()`;
    this.nextFence = leased.countsLostWorkersOnly
      ? sql`${item(this.columns.fence)} + CASE WHEN ${item(until)} IS NULL THEN 0 ELSE 1 END`
      : sql`${item(this.columns.fence)} + 1`;
  }

  /** What a statement returns of a row. */
  private get fenced(): Sql {
    const { key, fence } = this.columns;
    return sql`${item(key)} AS id, ${item(fence)} AS fence`;
  }

  /** The condition that a worker still has the row. */
  isHeld({ id, fence }: Fenced): RawBuilder<boolean> {
    const { key, until, fence: column } = this.columns;
    return sql`${item(key)} = ${id} AND ${item(column)} = ${fence} AND ${item(until)} IS NOT NULL`;
  }

  /** Assignments that lease a free row to a worker. */
  begun(seconds: number, owner: string | undefined): Sql {
    const { owner: column, fence } = this.columns;
    const owned = column !== null && owner !== undefined ? sql`${sql.ref(column)} = ${owner}, ` : sql``;
    return sql`${owned}${this.extended(seconds)}, ${sql.ref(fence)} = ${this.nextFence}`;
  }

  /** The assignment that extends a lease, counted from now. */
  extended(seconds: number): Sql {
    return sql`${sql.ref(this.columns.until)} = ${after(seconds)}`;
  }

  /** Returns free rows, and postpones when they are queued again. Commit before queueing them. */
  async queue(em: EntityManager, { where, orderBy, limit }: RowsToQueue): Promise<Fenced[]> {
    const { key, until, fence, queuedUntil } = this.columns;
    // The queue entry of a worker that died may remain, so the row needs another key.
    const renewedKey = this.leased.countsLostWorkersOnly
      ? sql`, ${sql.ref(fence)} = ${this.nextFence}, ${sql.ref(until)} = NULL`
      : sql``;
    const { rows } = await sql<Fenced>`
      WITH due AS (SELECT ${item(key)} AS id FROM ${this.table} AS item
        WHERE ${this.isFree} AND ${this.isUnqueued} AND ${where}
        ORDER BY ${orderBy} LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED)
      UPDATE ${this.table} AS item SET ${sql.ref(queuedUntil)} = ${after(this.leased.requeueSeconds)}${renewedKey}
      FROM due WHERE ${item(key)} = due.id RETURNING ${this.fenced}`.execute(em.getKysely());
    return rows;
  }

  /** Leases a row to a worker. Returns it with further columns; undefined if it is not free or violates `where`. */
  async take<Row = object>(
    em: EntityManager,
    id: number,
    { seconds, owner, where, returning }: { seconds: number; owner?: string; where?: Sql; returning?: Sql },
  ): Promise<(Fenced & Row) | undefined> {
    const { rows } = await sql<Fenced & Row>`
      UPDATE ${this.table} AS item SET ${this.begun(seconds, owner)}
      WHERE ${item(this.columns.key)} = ${id} AND ${this.isFree}${where ? sql` AND ${where}` : sql``}
      RETURNING ${this.fenced}${returning ? sql`, ${returning}` : sql``}`.execute(em.getKysely());
    return rows[0];
  }

  /** Changes a row that a worker has. Returns columns of it; undefined if the worker does not have it any more. */
  async change<Row = object>(
    em: EntityManager,
    lease: Fenced,
    set: Sql,
    returning: Sql = sql`1`,
  ): Promise<Row | undefined> {
    const { rows } = await sql<Row & object>`
      UPDATE ${this.table} AS item SET ${set} WHERE ${this.isHeld(lease)} RETURNING ${returning}`.execute(
      em.getKysely(),
    );
    return rows[0];
  }

  /** Extends a lease. `lost` means that another worker has the row, or that it does not exist any more. */
  async renew(em: EntityManager, lease: Fenced, seconds: number): Promise<'held' | 'lost'> {
    return (await this.change(em, lease, this.extended(seconds))) ? 'held' : 'lost';
  }

  /** Locks a row until the transaction ends. False if the worker does not have it any more. */
  async hold(em: EntityManager, lease: Fenced): Promise<boolean> {
    const { rows } = await sql`SELECT 1 FROM ${this.table} AS item WHERE ${this.isHeld(lease)}
      FOR NO KEY UPDATE`.execute(em.getKysely());
    return rows.length > 0;
  }
}

function item(column: string): Sql {
  return sql.ref(`item.${column}`);
}
