import { setTimeout as wait } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import * as content from '#domain/projects/project-content/library-change.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { PROJECT_REFRESH } from '#jobs/jobs.js';
import type { JobRun } from '#jobs/queues.js';
import type { JobHandler } from '../handler-registry.js';
import { Log } from '../logger.js';

/** Projects that are worked out together: their users wait as long, and one statement does for all of them. */
const BATCH = 20;

/** After this time other organizations have their turn. */
const TURN_MILLISECONDS = 20_000;

/** Lets the projects of an organization follow its library. The rows that are due say what is left to do. */
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
        // As long as it took: the database has its time for those who are waiting for an answer.
        await wait(performance.now() - begun, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      await inTransaction(this.em, scope, (em) => content.releaseRefreshLease(em, organization));
    }
  }

  /** One that can't be worked out keeps no others from it. */
  private async refreshSome(organization: number): Promise<number> {
    const scope = { organizationId: organization };
    const refresh = (count: number): Promise<number> =>
      inTransaction(this.em, scope, (em) => content.refreshDueProjects(em, organization, count));
    try {
      return await refresh(BATCH);
    } catch (error) {
      this.log.error({ err: error, job: PROJECT_REFRESH.name, organization }, 'Projects could not be worked out');
    }
    for (let place = 0; place < BATCH; place += 1) {
      try {
        if (!(await refresh(1))) break;
      } catch {
        await inTransaction(this.em, scope, (em) => content.postponeFirstProject(em, organization));
      }
    }
    return BATCH;
  }
}
