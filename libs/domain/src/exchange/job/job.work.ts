import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { recordActivity } from '../../activity/activity.js';
import type { Progress } from '../../kernel/lease/lease-keeper.js';
import type { Fenced, Lease } from '../../kernel/lease/lease.js';
import { lockRule } from '../../kernel/lock.js';
import type { StateMachine } from '../../kernel/state-machine.js';
import type { Entity, RowOf } from '../../kernel/tables.js';
import { findJobActor } from '../../access/user/principal.js';
import { LEASE_SECONDS } from './job.lease.js';

/** Maximum number of attempts before a job ends in `fail`. */
export const MAX_STARTS = 3;

/** Maximum number of queued jobs per organization. They only wake workers, which then claim jobs one after another. */
const QUEUED_OF_ORGANIZATION = 20;

/** A process that claims jobs, and the number of jobs of a kind that it can run at once. */
export interface ClaimingWorker {
  readonly owner: string;
  readonly slots: number;
}

/** A worker's lease on a job. */
export interface JobLease extends Fenced {
  readonly starts: number;
  readonly organizationId: number;
  /** The user for whom the job runs. */
  readonly userId: number;
  /**
   * Whether the job ended when it was claimed, because it was cancelled or attempted too often. Only cleanup is left.
   */
  readonly alreadyEnded: boolean;
}

/** A job that was just claimed, before its user is determined. */
export interface ClaimedJob<Row> {
  readonly lease: Omit<JobLease, 'userId'>;
  /** Whether it was cancelled before its worker died. */
  readonly cancelled: boolean;
  readonly row: Row;
}

interface ClaimedRow {
  readonly fence: number;
  readonly starts: number;
  readonly organization_id: number;
  readonly cancel_requested: boolean;
}

/** The properties of a kind of job, with the moves by which workers claim and release jobs. */
interface JobKind<Name extends string, Job extends Entity> {
  readonly entity: Job;
  readonly machine: StateMachine<string, Name>;
  readonly lease: Lease;
  readonly subject: 'export_job' | 'import_job';
  readonly titleOf: (id: number) => string;
  readonly claiming: readonly NoInfer<Name>[];
  readonly releasing: readonly NoInfer<Name>[];
  /** Further assignments to a job that ends. */
  readonly ended?: Sql;
}

/** A job whose worker dies is due when its lease ends. */
const dueAfterLease: Sql = sql`due_at = now() + make_interval(secs => ${LEASE_SECONDS})`;
const noProgress: Sql = sql`progress_done = NULL, progress_total = NULL`;

function claimedJobOf<Row>(id: number, row: ClaimedRow & Row): ClaimedJob<Row> {
  const { fence, starts, organization_id: organizationId, cancel_requested: cancelled } = row;
  const alreadyEnded = cancelled || starts > MAX_STARTS;
  return { lease: { id, fence, starts, organizationId, alreadyEnded }, cancelled, row };
}

/**
 * The worker's side of all kinds of user-triggered jobs: a row becomes due; one worker at a time holds a lease on it,
 * sends heartbeats with its progress, and finally stores the result, unless the job was cancelled or claimed by another
 * worker.
 */
export class JobWork<Name extends string, Job extends Entity> {
  private readonly table: Sql;
  /** States of running jobs. */
  private readonly working: readonly string[];
  private readonly ended: Sql;

  constructor(private readonly job: JobKind<Name | 'stop' | 'succeed' | 'fail', Job>) {
    const { machine, releasing: givingBack, ended } = job;
    this.table = sql.table(machine.definition.table);
    this.ended = ended ? sql`completed_at = clock_timestamp(), ${ended}` : sql`completed_at = clock_timestamp()`;
    this.working = givingBack.flatMap((name) => machine.from(name));
  }

  /** Queues waiting jobs and those with an expired lease: of each organization the first ones. */
  queueDue(em: EntityManager, limit: number): Promise<Fenced[]> {
    const { lease, machine } = this.job;
    const states = [machine.definition.initial, ...this.working];
    const isWaiting = sql`item.status = ANY(${states}::text[]) AND item.due_at <= now()`;
    return lease.queue(em, {
      where: sql`item.id IN (SELECT id FROM (
          SELECT item.id, ${lease.isUnqueued} AS unqueued,
            row_number() OVER (PARTITION BY item.organization_id ORDER BY item.triggered_at, item.id) AS place
          FROM ${this.table} AS item WHERE ${isWaiting}) waiting
        WHERE place <= ${QUEUED_OF_ORGANIZATION} AND unqueued ORDER BY place LIMIT ${limit})`,
      orderBy: sql`item.triggered_at, item.id`,
      limit,
    });
  }

  /**
   * Claims the oldest job of the organization with the fewest running jobs; if several have the fewest, of the one that
   * was served least recently. A process with several slots leaves one to other organizations. Undefined if there is no
   * job to claim.
   */
  async claimNext(em: EntityManager, { owner, slots }: ClaimingWorker): Promise<ClaimedJob<RowOf<Job>> | undefined> {
    const { machine, claiming } = this.job;
    const free = sql.join(
      claiming.map((name) => sql`(${machine.canMove(name)})`),
      sql` OR `,
    );
    // Without the lock, concurrent workers would choose the same job.
    await lockRule(em, 'job turn', machine.definition.table);
    const { rows } = await sql<{ id: number }>`
      WITH first AS (
        SELECT DISTINCT ON (organization_id) organization_id, id FROM ${this.table} AS item
        WHERE due_at <= now() AND (${free}) ORDER BY organization_id, triggered_at, id),
      running AS (
        SELECT organization_id, count(*) AS everywhere, count(*) FILTER (WHERE lease_owner = ${owner}) AS here
        FROM ${this.table} WHERE status = ANY(${this.working}::text[]) AND lease_until > now() GROUP BY organization_id)
      SELECT first.id FROM first LEFT JOIN running USING (organization_id), LATERAL (
        SELECT max(taken_at) AS at FROM ${this.table} WHERE organization_id = first.organization_id) served
      WHERE coalesce(running.here, 0) < ${Math.max(slots - 1, 1)}
      ORDER BY coalesce(running.everywhere, 0), served.at NULLS FIRST, first.id LIMIT 1`.execute(em.getKysely());
    return rows[0] && (await this.claim(em, rows[0].id, owner));
  }

  /**
   * Claims a job for a worker; undefined if it was deleted, has ended, waits for its user, or belongs to another
   * worker.
   */
  async claim(em: EntityManager, id: number, owner: string): Promise<ClaimedJob<RowOf<Job>> | undefined> {
    const move = {
      where: sql`item.id = ${id}`,
      set: sql`${this.job.lease.begun(LEASE_SECONDS, owner)}, ${dueAfterLease}, starts = starts + 1,
        taken_at = clock_timestamp(), ${noProgress}`,
      returning: sql`item.*`,
    };
    for (const name of this.job.claiming) {
      const row = await this.job.machine.tryMove<ClaimedRow & RowOf<Job>>(em, name, move);
      if (row) return claimedJobOf(id, row);
    }
    return undefined;
  }

  /** Renews a lease and stores the progress. `lost` means that another worker has the job, or that it has ended. */
  async renew(
    em: EntityManager,
    lease: Fenced,
    progress: Progress | undefined,
  ): Promise<'held' | 'cancelled' | 'lost'> {
    const row = await this.job.lease.change<{ cancel_requested: boolean }>(
      em,
      lease,
      sql`${this.job.lease.extended(LEASE_SECONDS)}, ${dueAfterLease},
        progress_done = coalesce(${progress?.done ?? null}::integer, progress_done),
        progress_total = coalesce(${progress?.total ?? null}::integer, progress_total)`,
      sql`item.cancel_requested`,
    );
    if (!row) return 'lost';
    return row.cancel_requested ? 'cancelled' : 'held';
  }

  /** Ends a job and records an activity. False if it was cancelled or another worker has it. */
  async complete(em: EntityManager, lease: JobLease, move: 'succeed' | 'fail', set: Sql): Promise<boolean> {
    const { machine, subject, titleOf } = this.job;
    if (!(await this.release(em, lease, move, sql`${this.ended}, ${set}`))) return false;
    const status = machine.definition.moves[move].to;
    await recordActivity(em, await findJobActor(em, lease.userId, lease.organizationId), {
      subject,
      verb: 'Completed',
      id: lease.id,
      title: titleOf(lease.id),
      also: { status: { id: status, description: status } },
    });
    return true;
  }

  /** Ends a cancelled job. False if it was not cancelled or another worker has it. */
  stop(em: EntityManager, lease: Fenced): Promise<boolean> {
    return this.release(em, lease, 'stop', this.ended);
  }

  /**
   * Returns a job to the queue for another attempt after `seconds`. `unspent` means that this attempt does not count,
   * because there was no error. False if the job was cancelled or another worker has it.
   */
  async giveBack(
    em: EntityManager,
    lease: Fenced,
    { seconds, unspent }: { readonly seconds: number; readonly unspent: boolean },
  ): Promise<boolean> {
    const set = sql`due_at = now() + make_interval(secs => ${seconds}), starts = starts - ${unspent ? 1 : 0}::integer,
      ${noProgress}`;
    for (const name of this.job.releasing) if (await this.release(em, lease, name, set)) return true;
    return false;
  }

  /** Makes a move that releases the lease. */
  async release(
    em: EntityManager,
    lease: Fenced,
    move: Name | 'stop' | 'succeed' | 'fail',
    set: Sql,
  ): Promise<boolean> {
    const moved = await this.job.machine.tryMove(em, move, {
      where: this.job.lease.isHeld(lease),
      set: sql`${this.job.lease.ended}, ${set}`,
    });
    return moved !== undefined;
  }
}
