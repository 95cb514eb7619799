import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Counter } from 'prom-client';
import { deleteExpiredTokens } from '#domain/token/token.commands.js';
import { inTransaction } from '#domain/transaction.js';
import { Log } from './logger.js';
import { WorkerMetrics } from './operations/metrics.js';

const HOUR = 3_600_000;

interface Schedule {
  readonly name: string;
  readonly everyMilliseconds: number;
  /** May run in several processes at once, and any number of times. */
  readonly run: (em: EntityManager) => Promise<unknown>;
}

/** What is done again and again, beginning at the start. */
const SCHEDULES: readonly Schedule[] = [
  { name: 'token.delete-expired', everyMilliseconds: HOUR, run: deleteExpiredTokens },
];

/** Runs the schedules, each for itself: one that fails is logged and tried again at its next time. */
@Injectable()
export class Schedules implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly runs: Counter;

  constructor(
    private readonly em: EntityManager,
    private readonly log: Log,
    metrics: WorkerMetrics,
  ) {
    this.runs = new Counter({
      name: 'merlon_schedule_runs_total',
      help: 'Runs of schedules, by outcome.',
      labelNames: ['schedule', 'outcome'],
      registers: [metrics.registry],
    });
  }

  onApplicationBootstrap(): void {
    for (const schedule of SCHEDULES) {
      this.start(schedule);
      this.timers.push(setInterval(() => this.start(schedule), schedule.everyMilliseconds));
    }
  }

  /** Starts nothing more, and waits for what runs, before the database is let go of. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running);
  }

  private start(schedule: Schedule): void {
    const run = this.run(schedule).finally(() => this.running.delete(run));
    this.running.add(run);
  }

  private async run({ name, run }: Schedule): Promise<void> {
    try {
      const result = await inTransaction(this.em, run);
      this.runs.inc({ schedule: name, outcome: 'success' });
      this.log.info({ schedule: name, result }, 'Schedule ran');
    } catch (error) {
      this.runs.inc({ schedule: name, outcome: 'failure' });
      this.log.error({ err: error, schedule: name }, 'Schedule failed');
    }
  }
}
