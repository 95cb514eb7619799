import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SONARQUBE_UNREACHABLE } from '#domain/connections/connector/check-sonarqube.js';
import { isRevealing } from '#domain/connections/connector/tracker-access.js';
import {
  type LeasedConnection,
  LeaseLost,
  verificationLease,
} from '#domain/connections/leased-connection/leased-connection.js';
import { syncActor } from '#domain/connections/tracker-sync/sync-items.js';
import { VerificationRefusal } from '#domain/connections/verification-run/sonarqube-project.js';
import {
  applyVerification,
  beginVerification,
  failVerification,
  VerificationReader,
} from '#domain/connections/verification-run/verification-run.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import type { Fenced } from '#domain/kernel/lease/lease.js';
import { LEASE_OWNER, LeaseKeeper } from '#domain/kernel/lease/lease-keeper.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { VERIFICATION_RUN } from '#jobs/jobs.js';
import type { JobRun } from '#jobs/queues.js';
import type { JobHandler } from '../handler-registry.js';
import { Log } from '../injected.js';

const INTERNAL_ERROR = 'The run ended because of an internal error. See the log of the service for details.';

/** Imports the results of verification tools. Nothing is stored before all results of a run were read. */
@Injectable()
export class VerificationHandler implements JobHandler<Fenced> {
  readonly job = VERIFICATION_RUN;

  constructor(
    private readonly em: EntityManager,
    private readonly reader: VerificationReader,
    private readonly log: Log,
  ) {}

  async handle(due: Fenced, { signal }: JobRun): Promise<void> {
    if (signal.aborted) return;
    const { requestSeconds } = this.reader;
    const lease = await acrossOrganizations(this.em, 'claim a job', (em) =>
      verificationLease.take(em, due, LEASE_OWNER, requestSeconds),
    );
    if (!lease) return;
    const keeper = new LeaseKeeper(
      () => inTransaction(this.em, lease, (em) => verificationLease.renew(em, lease, requestSeconds)),
      requestSeconds,
      signal,
    );
    try {
      await this.verify(lease);
    } catch (error) {
      // Whoever has the connection now repeats the run.
      if (!(error instanceof LeaseLost)) throw error;
    } finally {
      await keeper.release();
    }
  }

  private async verify(lease: LeasedConnection): Promise<void> {
    const { connection, actor } = await inTransaction(this.em, lease, async (em) => ({
      connection: await beginVerification(em, lease),
      actor: await syncActor(em, lease.organizationId),
    }));
    try {
      const outcomes = await this.reader.read(connection);
      await inTransaction(this.em, actor, (em) => applyVerification(em, actor, lease, connection, outcomes));
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      const message = this.messageOf(error, lease);
      await inTransaction(this.em, lease, (em) => failVerification(em, lease, connection, message));
    }
  }

  private messageOf(error: unknown, { id }: LeasedConnection): string {
    if (error instanceof VerificationRefusal) return error.message;
    // Why it was not reached would tell users of the project which addresses respond.
    if (isRevealing(error)) return SONARQUBE_UNREACHABLE;
    this.log.error({ err: error, connection: id }, 'A run of a verification connection failed');
    return INTERNAL_ERROR;
  }
}
