import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, isRetryable, isStatementTimeout } from '#domain/kernel/transaction.js';
import { Settings } from '#platform/injected.js';
import { interruptible } from '#platform/database/interruptible.js';
import { PrincipalCache } from '../http/access/principal-cache.js';
import { shortened } from '../http/errors/bounded-errors.js';
import { NonComposableRoutes } from '../http/in-process/non-composable-routes.js';
import { InProcessDispatcher, type CompositeContext } from '../http/in-process/in-process-dispatcher.js';
import { JsonText } from '../http/listing/responses.js';
import { ErrorResponse } from '../http/errors/error-response.js';
import { type RequestBudget, RequestMemory } from '../http/shares/request-memory.js';
import type { CompositeRequest } from './composite.dto.js';
import { KeptResponses } from './kept-responses.js';
import { type EarlierResponses, References, ReferencesTooLarge } from './references.js';
import { NON_COMPOSABLE, readSubRequests, type SubRequest } from './sub-requests.js';

/** The response to a sub-request; `body` is JSON text. */
interface SubResult {
  readonly status: number;
  readonly body: string;
  /** An unexpected error. */
  readonly failure?: unknown;
  /** The response exceeded the remaining bytes. */
  readonly tooLarge?: boolean;
}

const detail = (status: number, text: string): SubResult => ({
  status,
  body: JSON.stringify({ detail: shortened(text) }),
});
const hasFailed = ({ status }: SubResult): boolean => status >= 400;

/** Rolls back the transaction of a failed composite request, and carries its responses out of it. */
class CompositeFailed extends Error {
  constructor(readonly results: readonly SubResult[]) {
    super('A sub-request of the composite request failed.');
  }
}

const readLimitExceeded = (limit: number): SubResult =>
  detail(413, `A composite request may read at most ${limit} bytes. Request pages, or send this request separately.`);

const tooLate = (what: 'Not executed' | 'Interrupted', seconds: number): SubResult =>
  detail(422, `${what}: a composite request may take at most ${seconds} seconds. Send fewer requests at once.`);

/** A composite request while it runs. */
interface Run {
  readonly composite: CompositeContext;
  readonly requests: readonly SubRequest[];
  /** Whether references without a value are rejected. */
  readonly strict: boolean;
  readonly allOrNone: boolean;
  /** Aborted when the total time is over. */
  readonly late: AbortSignal;
  /** Aborted then, or when the client has left. */
  readonly signal: AbortSignal;
}

/**
 * Counts the response twice: it is copied into the composite response. The response to a write is never replaced,
 * because the change has been made.
 */
function charged(budget: RequestBudget, { method }: SubRequest, result: SubResult): SubResult {
  try {
    budget.charge(2 * result.body.length);
    return result;
  } catch (error) {
    if (!(error instanceof ErrorResponse)) throw error;
    return method === 'GET' ? detail(error.status, error.detail) : result;
  }
}

@Injectable()
export class CompositeService {
  constructor(
    private readonly em: EntityManager,
    private readonly dispatcher: InProcessDispatcher,
    private readonly nonComposable: NonComposableRoutes,
    private readonly principals: PrincipalCache,
    private readonly settings: Settings,
    private readonly memory: RequestMemory,
  ) {}

  async run(
    composite: CompositeContext,
    { all_or_none: allOrNone = true, strict_ref_checking: strict = false, ...body }: CompositeRequest,
  ): Promise<JsonText> {
    const requests = readSubRequests(body.composite_request, composite.strict, (method, path) =>
      this.nonComposable.includes(method, path),
    );
    const late = AbortSignal.timeout(this.settings.maxCompositeSeconds * 1000);
    const signal = AbortSignal.any([late, composite.left]);
    const run: Run = { composite, requests, strict, allOrNone, late, signal };
    const results = await interruptible(signal, () => (allOrNone ? this.runInTransaction(run) : this.runApart(run)));
    const entries = requests.map(
      ({ referenceId }, index) =>
        `{"reference_id":${JSON.stringify(referenceId)},"http_status_code":${results[index]?.status},` +
        `"body":${results[index]?.body}}`,
    );
    return new JsonText(`{"composite_response":[${entries.join(',')}]}`);
  }

  /**
   * Runs all requests in one transaction. The first failure rolls it back and is returned as it is; the other requests
   * get a 424.
   */
  private async runInTransaction(run: Run): Promise<readonly SubResult[]> {
    const { composite, requests } = run;
    try {
      // Permissions may have changed in the transaction; other requests see the change once it is committed.
      return await this.principals.forgetAgainAfter(
        inTransaction(this.em, composite.actor, () => this.runInOrder(run)),
      );
    } catch (error) {
      if (!(error instanceof CompositeFailed)) throw error;
      const failedIndex = error.results.length - 1;
      const failedReference = requests[failedIndex]?.referenceId;
      const why = `Not executed: "${failedReference}" failed, and all requests must succeed.`;
      return requests.map((_, index) => (index === failedIndex && error.results[index]) || detail(424, why));
    }
  }

  /** Runs each request by itself. They take slots like other requests, so that others have a turn between them. */
  private runApart(run: Run): Promise<readonly SubResult[]> {
    run.composite.releaseSlot();
    return this.runInOrder(run);
  }

  /**
   * Runs the requests in order, with one memory budget. With `allOrNone`, throws `CompositeFailed` at the first
   * failure. Throws a 408 if the client has left: the transaction is rolled back then.
   */
  private runInOrder(run: Run): Promise<readonly SubResult[]> {
    return this.memory.during(run.composite.actor.organizationId, (budget) => this.runWithin(budget, run));
  }

  private async runWithin(budget: RequestBudget, run: Run): Promise<readonly SubResult[]> {
    const { composite, requests, allOrNone, late } = run;
    const results: SubResult[] = [];
    const earlierResponses = new KeptResponses(budget);
    // Responses to reads are held in memory until the last one is complete, so their total size is limited. Responses
    // to writes are small.
    let remainingBytes = this.settings.maxCompositeReadBytes;
    for (const request of requests) {
      if (composite.left.aborted) throw new ErrorResponse(408, 'The client has left.');
      const result = late.aborted
        ? tooLate('Not executed', this.settings.maxCompositeSeconds)
        : charged(budget, request, await this.runOne(run, request, earlierResponses, remainingBytes));
      // A serialization failure must be retried with the whole transaction.
      if (allOrNone && isRetryable(result.failure)) throw result.failure;
      if (request.method === 'GET')
        remainingBytes = result.tooLarge ? 0 : remainingBytes - Buffer.byteLength(result.body);
      results.push(result);
      if (!hasFailed(result)) earlierResponses.keep(request.referenceId, result.body);
      else if (allOrNone) throw new CompositeFailed(results);
    }
    return results;
  }

  private async runOne(
    run: Run,
    request: SubRequest,
    earlierResponses: EarlierResponses,
    limit: number,
  ): Promise<SubResult> {
    const { method } = request;
    const references = new References(earlierResponses, this.settings.maxBodyBytes);
    try {
      const path = references.inPath(request.path);
      const body = references.inValue(request.body);
      const unresolved = [...path.unresolved, ...body.unresolved];
      if (run.strict && unresolved.length) return detail(400, `References without a value: ${unresolved.join(', ')}.`);
      if (this.nonComposable.includes(method, path.value)) return detail(400, NON_COMPOSABLE);
      return await this.send(run, { method, path: path.value, body: body.value }, limit);
    } catch (error) {
      if (error instanceof ReferencesTooLarge) return detail(413, error.message);
      if (error instanceof ErrorResponse) return detail(error.status, error.detail);
      throw error;
    }
  }

  private async send(
    { composite, allOrNone, signal }: Run,
    part: { method: string; path: string; body: unknown },
    limit: number,
  ): Promise<SubResult> {
    const body = part.body === undefined ? undefined : JSON.stringify(part.body);
    const isRead = part.method === 'GET';
    if (isRead && limit <= 0) return readLimitExceeded(this.settings.maxCompositeReadBytes);
    // The response to a write is never cut off, because the change has been made.
    const terms = { signal, takesSlot: !allOrNone };
    const response = await this.dispatcher.send(composite, { ...part, body }, isRead ? limit : Infinity, terms);
    if (response.tooLarge) return { ...readLimitExceeded(this.settings.maxCompositeReadBytes), tooLarge: true };
    if (signal.aborted && (response.isCutOff || isStatementTimeout(response.failure)))
      return tooLate('Interrupted', this.settings.maxCompositeSeconds);
    if (response.isCutOff) return detail(500, 'Internal server error.');
    if (!response.body.length) return { status: response.status, body: 'null' };
    if (!/^application\/json\b/.test(response.type)) return detail(400, NON_COMPOSABLE);
    return { status: response.status, body: response.body.toString('utf8'), failure: response.failure };
  }
}
