import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isRevealing, unusable } from '#domain/connections/connector/tracker-access.js';
import { findSyncedConnection, type SyncedConnection, syncActor } from '#domain/connections/tracker-sync/sync-items.js';
import {
  type LeasedConnection,
  LeaseLost,
  trackerLease,
} from '#domain/connections/leased-connection/leased-connection.js';
import { beginRun, type BegunRun, endRun, pauseRun } from '#domain/connections/tracker-sync/sync-queue.js';
import { Synchronization, type TurnEnd } from '#domain/connections/tracker-sync/synchronization.js';
import { trackerName, TrackerOpener } from '#domain/connections/tracker-sync/tracker-opener.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import type { Actor } from '#domain/kernel/actor.js';
import type { Fenced } from '#domain/kernel/lease/lease.js';
import { LEASE_OWNER, LeaseKeeper } from '#domain/kernel/lease/lease-keeper.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { wakeRelay } from '#domain/kernel/lease/wake-relay.js';
import type { JobRun } from '#jobs/queues.js';
import { Settings } from '#platform/injected.js';
import { publicOrigin } from '#platform/public-origin.js';
import { TrackerBusy, TrackerRefusal } from '#trackers/issue.js';
import { Log } from '../injected.js';

/** After this time a connection yields its slot to others, and continues later. */
const TURN_MILLISECONDS = 30_000;

const INTERNAL_ERROR = 'The run ended because of an internal error. See the log of the service for details.';

/** Takes the turns of runs. The connection's row decides what is due, and which worker may synchronise it. */
@Injectable()
export class TrackerSyncRunner {
  private readonly origin: string;

  constructor(
    private readonly em: EntityManager,
    private readonly opener: TrackerOpener,
    private readonly log: Log,
    settings: Settings,
  ) {
    this.origin = publicOrigin(settings);
  }

  async run(due: Fenced, { signal }: JobRun): Promise<void> {
    if (signal.aborted) return;
    const { requestSeconds } = this.opener;
    const lease = await acrossOrganizations(this.em, 'claim a job', (em) =>
      trackerLease.take(em, due, LEASE_OWNER, requestSeconds),
    );
    if (!lease) return;
    const keeper = new LeaseKeeper(
      () => inTransaction(this.em, lease, (em) => trackerLease.renew(em, lease, requestSeconds)),
      requestSeconds,
      signal,
    );
    try {
      await this.takeTurn(lease, keeper.signal);
    } catch (error) {
      // Whoever has the connection now continues the run.
      if (!(error instanceof LeaseLost)) throw error;
    } finally {
      await keeper.release();
    }
  }

  private async takeTurn(lease: LeasedConnection, signal: AbortSignal): Promise<void> {
    const begun = await inTransaction(this.em, lease, async (em) => ({
      run: await beginRun(em, lease),
      connection: await findSyncedConnection(em, lease.id),
      actor: await syncActor(em, lease.organizationId),
    }));
    const { run, connection, actor } = begun;
    if (!connection) return;
    const turn = await this.synchronize(lease, run, connection, actor, signal);
    await inTransaction(this.em, lease, async (em) => {
      if (turn.end === 'finished') await endRun(em, lease, run, turn.error);
      else await pauseRun(em, lease, { ...run, position: turn.position }, turn.seconds);
    });
    await wakeRelay(this.em.fork());
  }

  private async synchronize(
    lease: LeasedConnection,
    run: BegunRun,
    connection: SyncedConnection,
    actor: Actor,
    signal: AbortSignal,
  ): Promise<TurnEnd> {
    const turnEnds = performance.now() + TURN_MILLISECONDS;
    const isOver = (): boolean => signal.aborted || performance.now() >= turnEnds;
    try {
      const tracker = await this.opener.open(connection);
      const { em, origin } = this;
      return await new Synchronization({ em, lease, run, connection, tracker, actor, origin, isOver }).take();
    } catch (error) {
      if (error instanceof TrackerBusy) return { end: 'paused', seconds: error.seconds, position: run.position };
      if (error instanceof TrackerRefusal) return { end: 'finished', error: error.message };
      if (error instanceof LeaseLost) throw error;
      // Why it was not reached would tell users of the project which addresses respond.
      if (isRevealing(error)) return { end: 'finished', error: unusable(trackerName(connection)) };
      this.log.error({ err: error, connection: lease.id }, 'A run of an issue tracker connection failed');
      return { end: 'finished', error: INTERNAL_ERROR };
    }
  }
}
