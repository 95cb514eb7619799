import { setTimeout as wait } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import * as content from '#domain/projects/project-content/library-change.js';
import {
  type DueOrganization,
  leaseOrganization,
  othersWait,
  REFRESH_LEASE_SECONDS,
  releaseRefreshLease,
  renewRefreshLease,
} from '#domain/projects/project-content/refresh-lease.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { LeaseKeeper } from '#domain/kernel/lease/lease-keeper.js';
import { inTransaction, isStatementTimeout } from '#domain/kernel/transaction.js';
import { PROJECT_REFRESH } from '#jobs/jobs.js';
import { interruptible } from '#platform/database/interruptible.js';
import type { JobRun } from '#jobs/queues.js';
import type { JobHandler } from '../handler-registry.js';
import { Log } from '../injected.js';
import { RefreshPace } from './refresh-pace.js';

/** After this time another organization has its turn, if one waits. */
const TURN_MILLISECONDS = 2000;

/** One slot is always free of long batches, so that no organization waits for several of them. */
const MAX_LONG_BATCHES = PROJECT_REFRESH.concurrency - 1;

/** How long a turn waits before it looks again for the end of another organization's long batch. */
const LONG_BATCH_POLL_MILLISECONDS = 250;

/**
 * Updates the projects of organizations after their library has changed, in turns. The due rows define the remaining
 * work; each organization has one entry in the queue, and goes to its end after a turn.
 */
@Injectable()
export class ProjectRefreshHandler implements JobHandler<DueOrganization> {
  readonly job = PROJECT_REFRESH;
  /** The pace of organizations whose projects are not all up to date, by internal id: kept from turn to turn. */
  private readonly paces = new Map<number, RefreshPace>();
  private longBatches = 0;

  constructor(
    private readonly em: EntityManager,
    private readonly log: Log,
  ) {}

  /** Only serves the organization of its queue entry: while the entry is active, the organization can't be queued. */
  async handle(due: DueOrganization, { signal }: JobRun): Promise<boolean> {
    if (signal.aborted) return false;
    const lease = await acrossOrganizations(this.em, 'claim a job', (em) => leaseOrganization(em, due));
    if (!lease) return false;
    const scope = { organizationId: lease.organization };
    const keeper = new LeaseKeeper(
      () => inTransaction(this.em, scope, (em) => renewRefreshLease(em, lease)),
      REFRESH_LEASE_SECONDS,
      signal,
    );
    try {
      await this.takeTurn(lease, keeper.signal);
    } finally {
      await keeper.release();
      await inTransaction(this.em, scope, (em) => releaseRefreshLease(em, lease));
    }
    // Behind the others in the queue, if there are any: the relay queues it again.
    return !(await acrossOrganizations(this.em, 'claim a job', (em) => othersWait(em, lease)));
  }

  private async takeTurn({ organization }: DueOrganization, signal: AbortSignal): Promise<void> {
    const pace = this.paces.get(organization) ?? new RefreshPace();
    this.paces.set(organization, pace);
    await this.propagate(organization, pace);
    // Counted from here, so that a turn has a batch, however busy the database is.
    const turnEnds = performance.now() + TURN_MILLISECONDS;
    while (!signal.aborted && performance.now() < turnEnds) {
      const pause = await this.inSlot(pace, () => this.refreshSome(organization, pace));
      if (pause === undefined) {
        this.paces.delete(organization);
        return;
      }
      await wait(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Runs a batch, unless it may take long and too many others do. Returns its pause. */
  private async inSlot({ isLong }: RefreshPace, batch: () => Promise<number | undefined>): Promise<number | undefined> {
    if (!isLong) return batch();
    if (this.longBatches >= MAX_LONG_BATCHES) return LONG_BATCH_POLL_MILLISECONDS;
    this.longBatches += 1;
    try {
      return await batch();
    } finally {
      this.longBatches -= 1;
    }
  }

  /** Marks projects as due. They wait for long transactions that may have read the old library; due ones don't. */
  private async propagate(organization: number, pace: RefreshPace): Promise<void> {
    try {
      await this.inLimitedTransaction(organization, pace, (em) => content.propagateLibraryChanges(em, organization));
    } catch (error) {
      if (!isStatementTimeout(error)) throw error;
      this.log.warn({ job: PROJECT_REFRESH.name, organization }, 'A library change waits for a long transaction');
    }
  }

  /**
   * Refreshes a batch. If that fails, the next batch is smaller, down to one project, which is postponed if it fails,
   * so that it doesn't block the others. Returns how long to pause, in milliseconds; undefined if nothing is left to
   * do.
   */
  private async refreshSome(organization: number, pace: RefreshPace): Promise<number | undefined> {
    const { batch } = pace;
    const begun = performance.now();
    try {
      const done = await this.inLimitedTransaction(organization, pace, (em) =>
        content.refreshDueProjects(em, organization, batch),
      );
      return done < batch ? undefined : pace.succeeded(performance.now() - begun);
    } catch (error) {
      const about = { err: error, job: PROJECT_REFRESH.name, organization };
      if (batch > 1) this.log.warn({ ...about, batch }, 'Projects could not be recalculated together');
      else {
        const project = await this.inLimitedTransaction(organization, pace, (em) =>
          content.postponeFirstProject(em, organization),
        );
        this.log.error({ ...about, project }, 'A project could not be recalculated, and is tried again later');
      }
      pace.failed(isStatementTimeout(error));
      return 0;
    }
  }

  private inLimitedTransaction<T>(
    organizationId: number,
    { limitSeconds }: RefreshPace,
    work: (em: EntityManager) => Promise<T>,
  ): Promise<T> {
    return interruptible(AbortSignal.timeout(limitSeconds * 1000), () =>
      inTransaction(this.em, { organizationId }, work),
    );
  }
}
