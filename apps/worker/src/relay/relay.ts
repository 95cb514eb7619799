import { EntityManager } from '@mikro-orm/postgresql';
import { type OnModuleDestroy, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { Settings } from '#platform/injected.js';
import { Queues } from '#jobs/queues.js';
import { Log } from '../injected.js';
import { DueListener } from './due-listener.js';
import { RELAY_SOURCES, type RelaySource } from './relay-sources.js';

const POLL_MILLISECONDS = 1000;
const BATCH = 100;

/**
 * Finds due rows and queues their jobs. Nothing is queued inside a transaction: a row that was marked but never queued,
 * because the process died or the queue was unavailable or emptied, becomes due again a moment later.
 */
@Injectable()
export class Relay implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly listener: DueListener;
  private timer: NodeJS.Timeout | undefined;
  private currentSweep: Promise<void> | undefined;
  private sweepAgain = false;
  private stopped = false;
  /** Names of the jobs whose rows could not be queued in the last sweep. */
  private readonly failingJobs = new Set<string>();

  constructor(
    private readonly em: EntityManager,
    private readonly queues: Queues,
    private readonly log: Log,
    settings: Settings,
  ) {
    this.listener = new DueListener(settings.databaseUrl ?? '', () => this.wake());
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listener.open();
    this.timer = setInterval(() => this.wake(), POLL_MILLISECONDS);
    this.wake();
  }

  /** Runs before `Workers` closes the queues: BullMQ never settles an `add` to a queue that is closing. */
  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.listener.close();
    await this.currentSweep;
  }

  private wake(): void {
    if (this.stopped) return;
    if (this.currentSweep) {
      this.sweepAgain = true; // the sweep may already have passed the kind of row that has just become due
      return;
    }
    this.currentSweep = this.sweep().finally(() => {
      this.currentSweep = undefined;
      if (!this.sweepAgain) return;
      this.sweepAgain = false;
      this.wake();
    });
  }

  /** Queues each kind of row separately, so that an error in one does not block the others. */
  private async sweep(): Promise<void> {
    for (const source of RELAY_SOURCES) {
      const { name } = source.job;
      try {
        await this.queueDue(source);
        if (this.failingJobs.delete(name)) this.log.info({ job: name }, 'The relay is working again');
      } catch (error) {
        // Logs the first failure only, not one every second: the rows stay due until the relay works again.
        if (!this.failingJobs.has(name)) this.log.error({ err: error, job: name }, 'The relay is failing');
        this.failingJobs.add(name);
      }
    }
  }

  private async queueDue({ job, due }: RelaySource): Promise<void> {
    for (let count = BATCH; count === BATCH && !this.stopped;) {
      const payloads = await acrossOrganizations(this.em, 'queue what is due', (em) => due(em, BATCH));
      await this.queues.add(job, payloads);
      count = payloads.length;
    }
  }
}
