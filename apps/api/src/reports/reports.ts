import { type Actor, may } from '#domain/kernel/actor.js';
import { Forbidden } from '#domain/kernel/domain-errors.js';
import { REPORTING_ROLE } from '#domain/reports/reporting-schema/reporting-schema.js';
import { ORGANIZATION_SETTING } from '#domain/kernel/transaction.js';
import { PERMISSIONS } from '#domain/kernel/permissions.js';
import type { Configuration } from '#platform/configuration.js';
import { FairSlots, NoFreeSlot } from '#platform/fair-slots.js';
import { type CheckOptions, checkQuery } from '#reporting/check-query.js';
import { ClusterEngine } from '#reporting/cluster-engine.js';
import { EmbeddedEngine } from '#reporting/embedded-engine.js';
import {
  bytesOfNames,
  type QueryResult,
  type CompletedQuery,
  type ReportEngine,
  type Statement,
} from '#reporting/engine.js';
import { reportingModel } from '#reporting/model.js';
import { type CheckedQuery, membersOf, type ReportQuery } from '#reporting/query.js';
import { throttled } from '../http/errors/error-response.js';
import type { RequestBudget, RequestMemory } from '../http/shares/request-memory.js';

/** Value of `Retry-After` if too many reports are running. */
const BUSY_SECONDS = 5;
/** Maximum time that a report waits for its turn. */
const MAX_WAIT_SECONDS = 10;
/** Maximum number of waiting reports of one organization. */
const QUEUE_LENGTH = 100;

/** Throws `Forbidden` if the caller may not run reports of a schema. */
export function assertSchema(actor: Actor, schema: unknown): void {
  if (schema !== 'library' && !may(actor, 'view_all_projects'))
    throw new Forbidden('Requires the permission "view_all_projects", except for the schema "library".');
}

/** Throws `Forbidden` if a query uses members that require a further permission. */
function assertMembers(actor: Actor, query: ReportQuery): void {
  const { members } = reportingModel();
  for (const name of membersOf(query)) {
    const permission = PERMISSIONS.find((candidate) => candidate === members.get(name)?.permission);
    if (permission && !may(actor, permission))
      throw new Forbidden(`"${name}" requires the permission "${permission}".`);
  }
}

/** Runs reports for permitted callers; to be injected: `constructor(private readonly reports: Reports)`. */
export class Reports {
  private preparing = false;

  constructor(
    private readonly engine: ReportEngine,
    private readonly slots: FairSlots,
    private readonly memory: RequestMemory,
  ) {}

  /** Validates a query and the caller's right to run it. Throws `InvalidQuery`, `Forbidden`. */
  check(actor: Actor, input: unknown, options?: CheckOptions): CheckedQuery {
    const checked = checkQuery(input, options);
    assertSchema(actor, checked.queries[0]?.schema);
    for (const query of checked.queries) assertMembers(actor, query);
    return checked;
  }

  /**
   * Runs the queries, and passes their results to `present`. All results share one budget until it returns. Throws
   * `QueryFailed`, `EngineUnavailable`, a 413 or 503 without enough memory, or a 429 if too many others are running.
   */
  run<Result>(
    actor: Actor,
    { queries }: CheckedQuery,
    present: (completed: CompletedQuery[]) => Result | Promise<Result>,
  ): Promise<Result> {
    return this.memory.during(actor.organizationId, async (budget) => {
      const completed: CompletedQuery[] = [];
      for (const query of queries) {
        const result = await this.load(actor, query, budget);
        budget.charge(bytesOfNames(result));
        completed.push({ query, result });
      }
      return present(completed);
    });
  }

  sql(actor: Actor, query: ReportQuery): Promise<Statement> {
    return this.engine.sql(query, actor.organizationId);
  }

  /** Prepares the engine in advance, so that the first report does not have to wait. */
  async prepare(): Promise<void> {
    this.preparing = true;
    try {
      await this.engine.prepare();
    } finally {
      this.preparing = false;
    }
  }

  /** Whether `prepare` is still running. */
  get isPreparing(): boolean {
    return this.preparing;
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  private async load(actor: Actor, query: ReportQuery, budget: RequestBudget): Promise<QueryResult> {
    const release = await this.slots.acquire(actor.organizationId).catch((error: unknown) => {
      throw error instanceof NoFreeSlot ? throttled(BUSY_SECONDS) : error;
    });
    try {
      return await this.engine.load(query, actor.organizationId, (bytes) => budget.charge(bytes));
    } finally {
      release();
    }
  }
}

function openEngine(configuration: Configuration): ReportEngine {
  const { cubeApiUrl, cubeApiSecret, reportTimeoutSeconds: timeoutSeconds } = configuration;
  if (cubeApiUrl !== undefined)
    return new ClusterEngine({ url: cubeApiUrl, secret: cubeApiSecret ?? '', timeoutSeconds });
  return new EmbeddedEngine({
    url: configuration.databaseReadUrl ?? configuration.databaseUrl ?? '',
    poolSize: configuration.reportPoolSize,
    lowersPriority: configuration.databaseOnThisMachine && configuration.databaseReadUrl === undefined,
    timeoutSeconds,
    role: REPORTING_ROLE,
    organizationSetting: ORGANIZATION_SETTING,
  });
}

/** Creates the reports service for the configured engine. */
export function openReports(configuration: Configuration, memory: RequestMemory): Reports {
  const { reportPoolSize: slots, reportTimeoutSeconds } = configuration;
  const waitMilliseconds = Math.min(MAX_WAIT_SECONDS, reportTimeoutSeconds) * 1000;
  return new Reports(
    openEngine(configuration),
    new FairSlots({ slots: slots, waitMilliseconds, queueLength: QUEUE_LENGTH }),
    memory,
  );
}
