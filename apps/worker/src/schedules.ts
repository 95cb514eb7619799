import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { sql } from 'kysely';
import { Counter } from 'prom-client';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { countActivityHours } from '#domain/activity/activity-hours.js';
import { findExpiredExportFiles, markExportFileRemoved } from '#domain/exchange/export-job/export-job.file.js';
import {
  findExpiredImports,
  dropExpiredDifference,
  trimEndedImport,
} from '#domain/exchange/import-job/import-job.cleanup.js';
import { findUnknownFiles, STORAGE_FOLDERS } from '#domain/exchange/job/stored-files.js';
import { deleteExpiredIdempotencyKeys } from '#domain/access/idempotency/idempotency-key.commands.js';
import { deleteExpiredAttempts } from '#domain/access/identity-provider/sign-in-provider.js';
import { deleteExpiredSessions } from '#domain/access/session/session.commands.js';
import { deleteExpiredTokens } from '#domain/access/token/token.commands.js';
import { deleteOldDeliveries } from '#domain/notifications/webhook/delivery.commands.js';
import { reencryptSecrets } from '#domain/operations/reencrypt.js';
import { takeSnapshot } from '#domain/reports/trend/trend.commands.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import { FileStorage } from '#platform/storage/file-storage.js';
import { Log } from './injected.js';
import { WorkerMetrics } from './operations/metrics.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The largest number of files that one run removes; the next run continues. */
const FILES_AT_ONCE = 500;

/** Reasons for working across organizations. */
const SWEEP = 'sweep what is over';
const COUNT = 'count and snapshot';

interface ScheduleDependencies {
  readonly em: EntityManager;
  readonly files: FileStorage;
  readonly secrets: SecretBox;
  /** IANA name of the time zone that defines the current day. */
  readonly timeZone: string;
}

interface Schedule {
  readonly name: string;
  readonly everyMilliseconds: number;
  /** May run in several processes at once, and any number of times. Returns a summary for the log. */
  readonly run: (dependencies: ScheduleDependencies) => Promise<unknown>;
}

/** Removes the file before its row: a run that dies in between is repeated. */
async function removeExpiredFiles({ em, files }: ScheduleDependencies): Promise<number> {
  const keys = await findExpiredExportFiles(em.fork(), FILES_AT_ONCE);
  for (const key of keys) {
    await files.remove(key);
    await acrossOrganizations(em, SWEEP, (forked) => markExportFileRemoved(forked, key));
  }
  return keys.length;
}

/** The same for uploads, together with the changes that were computed from them. */
async function removeExpiredImports({ em, files }: ScheduleDependencies): Promise<number> {
  const expired = await acrossOrganizations(em, SWEEP, (forked) => findExpiredImports(forked, FILES_AT_ONCE));
  for (const { id, key } of expired) {
    if (key !== null) await files.remove(key);
    await acrossOrganizations(em, SWEEP, (forked) => dropExpiredDifference(forked, id));
  }
  return expired.length;
}

/** Removes the staging data of ended imports: users may cancel an import while no worker has it. */
async function trimEndedImports({ em }: ScheduleDependencies): Promise<number> {
  let trimmed = 0;
  while (await acrossOrganizations(em, SWEEP, trimEndedImport)) trimmed += 1;
  return trimmed;
}

/**
 * Removes files that no row refers to: a process died after it wrote them and before it recorded them. A file of this
 * age is no longer used by any worker.
 */
async function removeUnknownFiles({ em, files }: ScheduleDependencies): Promise<number> {
  // The clock of this machine may have jumped ahead: then the files of running uploads would look old.
  const { rows } = await sql<{ now: Date | string }>`SELECT now() AS now`.execute(em.fork().getKysely());
  const now = Math.min(Date.now(), ...rows.map((row) => new Date(row.now).getTime()));
  const before = new Date(now - DAY);
  let removed = 0;
  for (const folder of STORAGE_FOLDERS)
    for await (const keys of files.list(folder, before))
      for (const key of await findUnknownFiles(em.fork(), keys)) {
        await files.remove(key);
        removed += 1;
      }
  return removed;
}

/** Replaces today's snapshot every hour, so that each day keeps its last one. */
const snapshot = ({ em, timeZone }: ScheduleDependencies): Promise<unknown> =>
  acrossOrganizations(em, COUNT, (transaction) => takeSnapshot(transaction, { zone: timeZone }));

/** The schedules. Each runs once at startup, then at its interval. */
const SCHEDULES: readonly Schedule[] = [
  {
    name: 'activity.count-hours',
    everyMilliseconds: HOUR,
    run: ({ em }) => acrossOrganizations(em, COUNT, countActivityHours),
  },
  { name: 'export.remove-expired-files', everyMilliseconds: MINUTE, run: removeExpiredFiles },
  { name: 'file.remove-unknown', everyMilliseconds: HOUR, run: removeUnknownFiles },
  { name: 'import.remove-expired', everyMilliseconds: HOUR, run: removeExpiredImports },
  { name: 'import.remove-staged', everyMilliseconds: 10 * SECOND, run: trimEndedImports },
  {
    name: 'token.delete-expired',
    everyMilliseconds: HOUR,
    run: ({ em }) =>
      acrossOrganizations(
        em,
        SWEEP,
        async (forked) =>
          (await deleteExpiredTokens(forked)) +
          (await deleteExpiredSessions(forked)) +
          (await deleteExpiredAttempts(forked)) +
          (await deleteExpiredIdempotencyKeys(forked)),
      ),
  },
  { name: 'trend.take-snapshot', everyMilliseconds: HOUR, run: snapshot },
  {
    name: 'webhook.delete-old-deliveries',
    everyMilliseconds: MINUTE,
    run: ({ em }) => acrossOrganizations(em, SWEEP, deleteOldDeliveries),
  },
  {
    name: 'secret.reseal',
    everyMilliseconds: HOUR,
    run: ({ em, secrets }) =>
      acrossOrganizations(em, 'seal secrets anew', (transaction) => reencryptSecrets(transaction, secrets)),
  },
];

/** Runs the schedules independently: an error is logged, and the schedule runs again at its next time. */
@Injectable()
export class Schedules implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<string, Promise<void>>();
  private readonly runs: Counter;

  constructor(
    private readonly em: EntityManager,
    private readonly files: FileStorage,
    private readonly secrets: SecretBox,
    private readonly log: Log,
    private readonly settings: Settings,
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

  /** Stops the timers and waits for running schedules before the database connection is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running.values());
  }

  /** Skips a schedule that is still running. */
  private start(schedule: Schedule): void {
    const { name } = schedule;
    if (this.running.has(name)) return;
    this.running.set(
      name,
      this.run(schedule).finally(() => this.running.delete(name)),
    );
  }

  private async run({ name, run }: Schedule): Promise<void> {
    try {
      const result = await run({
        em: this.em,
        files: this.files,
        secrets: this.secrets,
        timeZone: this.settings.timeZone,
      });
      this.runs.inc({ schedule: name, outcome: 'success' });
      if (result !== 0) this.log.info({ schedule: name, result }, 'Schedule ran');
    } catch (error) {
      this.runs.inc({ schedule: name, outcome: 'failure' });
      this.log.error({ err: error, schedule: name }, 'Schedule failed');
    }
  }
}
