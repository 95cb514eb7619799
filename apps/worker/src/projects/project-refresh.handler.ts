import { setTimeout as wait } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import * as content from '#domain/projects/project-content/library-change.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { PROJECT_REFRESH } from '#jobs/jobs.js';
import type { JobRun } from '#jobs/queues.js';
import type { JobHandler } from '../handler-registry.js';
import { Log } from '../logger.js';

/** Projects refreshed in one statement. All of their users wait until it has finished. */
const BATCH = 20;

/** After this time the job yields to other organizations. */
const TURN_MILLISECONDS = 20_000;

/** Updates the projects of an organization after its library has changed. The due rows define the remaining work. */
@Injectable()
export class ProjectRefreshHandler implements JobHandler<{ organization: number; taken: number }> {
  readonly job = PROJECT_REFRESH;

  constructor(
    private readonly em: EntityManager,
    private readonly log: Log,
  ) {}

  async handle({ organization }: { organization: number }, { signal }: JobRun): Promise<void> {
    const scope = { organizationId: organization };
    const turnEnds = performance.now() + TURN_MILLISECONDS;
    try {
      await inTransaction(this.em, scope, (em) => content.propagateLibraryChanges(em, organization));
      while (!signal.aborted && performance.now() < turnEnds) {
        const begun = performance.now();
        await inTransaction(this.em, scope, (em) => content.renewRefreshLease(em, organization));
        const done = await this.refreshSome(organization);
        if (done < BATCH) return;
        // Pauses for as long as the batch took, so that the database has time for API requests.
        await wait(performance.now() - begun, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      await inTransaction(this.em, scope, (em) => content.releaseRefreshLease(em, organization));
    }
  }

  /**
   * Refreshes a batch. If that fails, refreshes one project at a time, so that one failure does not block the others.
   */
  private async refreshSome(organization: number): Promise<number> {
    const scope = { organizationId: organization };
    const refresh = (count: number): Promise<number> =>
      inTransaction(this.em, scope, (em) => content.refreshDueProjects(em, organization, count));
    try {
      return await refresh(BATCH);
    } catch (error) {
      this.log.error({ err: error, job: PROJECT_REFRESH.name, organization }, 'Projects could not be recalculated');
    }
    for (let index = 0; index < BATCH; index += 1) {
      try {
        if (!(await refresh(1))) break;
      } catch {
        await inTransaction(this.em, scope, (em) => content.postponeFirstProject(em, organization));
      }
    }
    return BATCH;
  }
}
