import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, isRetryable } from '#domain/kernel/transaction.js';
import { Settings } from '#platform/injected.js';
import { once } from '#platform/once.js';
import { PrincipalCache } from '../http/access/principal-cache.js';
import { shortened } from '../http/errors/bounded-errors.js';
import { NonComposableRoutes } from '../http/in-process/non-composable-routes.js';
import { InProcessDispatcher, type CompositeContext } from '../http/in-process/in-process-dispatcher.js';
import { JsonText } from '../http/listing/responses.js';
import type { CompositeRequest } from './composite.dto.js';
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

@Injectable()
export class CompositeService {
  constructor(
    private readonly em: EntityManager,
    private readonly dispatcher: InProcessDispatcher,
    private readonly nonComposable: NonComposableRoutes,
    private readonly principals: PrincipalCache,
    private readonly settings: Settings,
  ) {}

  async run(
    composite: CompositeContext,
    { all_or_none: allOrNone = true, strict_ref_checking: strict = false, ...body }: CompositeRequest,
  ): Promise<JsonText> {
    const requests = readSubRequests(body.composite_request, composite.strict, (method, path) =>
      this.nonComposable.includes(method, path),
    );
    const results = await (allOrNone
      ? this.runInTransaction(composite, requests, strict)
      : this.runInOrder(composite, requests, strict, false));
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
  private async runInTransaction(
    composite: CompositeContext,
    requests: readonly SubRequest[],
    strict: boolean,
  ): Promise<readonly SubResult[]> {
    try {
      // Permissions may have changed in the transaction; other requests see the change once it is committed.
      return await this.principals.forgetAfter(
        inTransaction(this.em, composite.actor, () => this.runInOrder(composite, requests, strict, true)),
      );
    } catch (error) {
      if (!(error instanceof CompositeFailed)) throw error;
      const failedIndex = error.results.length - 1;
      const failedReference = requests[failedIndex]?.referenceId;
      const why = `Not executed: "${failedReference}" failed, and all requests must succeed.`;
      return requests.map((_, index) => (index === failedIndex && error.results[index]) || detail(424, why));
    }
  }

  /** Runs the requests in order. With `allOrNone`, throws `Failed` at the first failure. */
  private async runInOrder(
    composite: CompositeContext,
    requests: readonly SubRequest[],
    strict: boolean,
    allOrNone: boolean,
  ): Promise<readonly SubResult[]> {
    const results: SubResult[] = [];
    const earlierResponses = new Map<string, () => unknown>();
    // Responses to reads are held in memory until the last one is complete, so their total size is limited. Responses
    // to writes are small.
    let remainingBytes = this.settings.maxCompositeReadBytes;
    for (const request of requests) {
      const result = await this.runOne(composite, request, strict, earlierResponses, remainingBytes);
      // A serialization failure must be retried with the whole transaction.
      if (allOrNone && isRetryable(result.failure)) throw result.failure;
      if (request.method === 'GET')
        remainingBytes = result.tooLarge ? 0 : remainingBytes - Buffer.byteLength(result.body);
      results.push(result);
      if (!hasFailed(result))
        earlierResponses.set(
          request.referenceId,
          once(() => JSON.parse(result.body) as unknown),
        );
      else if (allOrNone) throw new CompositeFailed(results);
    }
    return results;
  }

  private async runOne(
    composite: CompositeContext,
    request: SubRequest,
    strict: boolean,
    earlierResponses: EarlierResponses,
    limit: number,
  ): Promise<SubResult> {
    const { method } = request;
    const references = new References(earlierResponses, this.settings.maxBodyBytes);
    try {
      const path = references.inPath(request.path);
      const body = references.inValue(request.body);
      const unresolved = [...path.unresolved, ...body.unresolved];
      if (strict && unresolved.length) return detail(400, `References without a value: ${unresolved.join(', ')}.`);
      if (this.nonComposable.includes(method, path.value)) return detail(400, NON_COMPOSABLE);
      return await this.send(composite, { method, path: path.value, body: body.value }, limit);
    } catch (error) {
      if (error instanceof ReferencesTooLarge)
        return detail(413, `References make this request larger than ${this.settings.maxBodyBytes} bytes.`);
      throw error;
    }
  }

  private async send(
    composite: CompositeContext,
    part: { method: string; path: string; body: unknown },
    limit: number,
  ): Promise<SubResult> {
    const body = part.body === undefined ? undefined : JSON.stringify(part.body);
    const isRead = part.method === 'GET';
    if (isRead && limit <= 0) return readLimitExceeded(this.settings.maxCompositeReadBytes);
    // The response to a write is never cut off, because the change has been made.
    const response = await this.dispatcher.send(composite, { ...part, body }, isRead ? limit : Infinity);
    if (response.tooLarge) return { ...readLimitExceeded(this.settings.maxCompositeReadBytes), tooLarge: true };
    if (response.isCutOff) return detail(500, 'Internal server error.');
    if (!response.body.length) return { status: response.status, body: 'null' };
    if (!/^application\/json\b/.test(response.type)) return detail(400, NON_COMPOSABLE);
    return { status: response.status, body: response.body.toString('utf8'), failure: response.failure };
  }
}
