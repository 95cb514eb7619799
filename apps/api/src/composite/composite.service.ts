import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, isRetryable } from '#domain/kernel/transaction.js';
import { Settings } from '#platform/injected.js';
import { once } from '#platform/once.js';
import { PrincipalCache } from '../http/access/principal-cache.js';
import { shortened } from '../http/errors/bounded-errors.js';
import { NonComposableRoutes } from '../http/in-process/non-composable-routes.js';
import { InProcessDispatcher, type CompositeContext } from '../http/in-process/in-process-dispatcher.js';
import { JsonText } from '../http/listing/answer.js';
import type { CompositeRequest } from './composite.dto.js';
import { type Answers, References, TooLarge } from './references.js';
import { ALONE, readSubRequests, type SubRequest } from './sub-requests.js';

/** The response to a sub-request; `body` is JSON text. */
interface SubAnswer {
  readonly status: number;
  readonly body: string;
  /** An unexpected error. */
  readonly failure?: unknown;
  /** The response exceeded the remaining bytes. */
  readonly tooLarge?: boolean;
}

const detail = (status: number, text: string): SubAnswer => ({
  status,
  body: JSON.stringify({ detail: shortened(text) }),
});
const failed = ({ status }: SubAnswer): boolean => status >= 400;

/** Rolls back the transaction of a failed composite request, and carries its responses out of it. */
class Failed extends Error {
  constructor(readonly answers: readonly SubAnswer[]) {
    super('A request of the composite request has failed.');
  }
}

const tooMuchRead = (limit: number): SubAnswer =>
  detail(413, `A composite request may read ${limit} bytes. Ask for pages, or send this request alone.`);

@Injectable()
export class CompositeService {
  constructor(
    private readonly em: EntityManager,
    private readonly parts: InProcessDispatcher,
    private readonly lone: NonComposableRoutes,
    private readonly principals: PrincipalCache,
    private readonly settings: Settings,
  ) {}

  async run(
    whole: CompositeContext,
    { all_or_none: allOrNone = true, strict_ref_checking: strict = false, ...body }: CompositeRequest,
  ): Promise<JsonText> {
    const requests = readSubRequests(body.composite_request, whole.strict, (method, path) =>
      this.lone.includes(method, path),
    );
    const answers = await (allOrNone
      ? this.together(whole, requests, strict)
      : this.each(whole, requests, strict, false));
    const entries = requests.map(
      ({ referenceId }, place) =>
        `{"reference_id":${JSON.stringify(referenceId)},"http_status_code":${answers[place]?.status},` +
        `"body":${answers[place]?.body}}`,
    );
    return new JsonText(`{"composite_response":[${entries.join(',')}]}`);
  }

  /**
   * Runs all requests in one transaction. The first failure rolls it back and is returned as it is; the other requests
   * get a 424.
   */
  private async together(
    whole: CompositeContext,
    requests: readonly SubRequest[],
    strict: boolean,
  ): Promise<readonly SubAnswer[]> {
    try {
      // Permissions may have changed in the transaction; other requests see the change once it is committed.
      return await this.principals.forgetAfter(
        inTransaction(this.em, whole.actor, () => this.each(whole, requests, strict, true)),
      );
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      const failedIndex = error.answers.length - 1;
      const failed = requests[failedIndex]?.referenceId;
      const why = `Not executed: "${failed}" failed, and either all requests succeed or none.`;
      return requests.map((_, place) => (place === failedIndex && error.answers[place]) || detail(424, why));
    }
  }

  /** Runs the requests in order. With `allOrNone`, throws `Failed` at the first failure. */
  private async each(
    whole: CompositeContext,
    requests: readonly SubRequest[],
    strict: boolean,
    allOrNone: boolean,
  ): Promise<readonly SubAnswer[]> {
    const answers: SubAnswer[] = [];
    const known = new Map<string, () => unknown>();
    // Responses to reads are held in memory until the last one is complete, so their total size is limited. Responses
    // to writes are small.
    let left = this.settings.maxCompositeReadBytes;
    for (const request of requests) {
      const answer = await this.one(whole, request, strict, known, left);
      // A serialization failure must be retried with the whole transaction.
      if (allOrNone && isRetryable(answer.failure)) throw answer.failure;
      if (request.method === 'GET') left = answer.tooLarge ? 0 : left - Buffer.byteLength(answer.body);
      answers.push(answer);
      if (!failed(answer))
        known.set(
          request.referenceId,
          once(() => JSON.parse(answer.body) as unknown),
        );
      else if (allOrNone) throw new Failed(answers);
    }
    return answers;
  }

  private async one(
    whole: CompositeContext,
    request: SubRequest,
    strict: boolean,
    known: Answers,
    limit: number,
  ): Promise<SubAnswer> {
    const { method } = request;
    const references = new References(known, this.settings.maxBodyBytes);
    try {
      const path = references.inPath(request.path);
      const body = references.inValue(request.body);
      const unresolved = [...path.unresolved, ...body.unresolved];
      if (strict && unresolved.length) return detail(400, `These references lead nowhere: ${unresolved.join(', ')}.`);
      if (this.lone.includes(method, path.value)) return detail(400, ALONE);
      return await this.send(whole, { method, path: path.value, body: body.value }, limit);
    } catch (error) {
      if (error instanceof TooLarge)
        return detail(413, `References make this request larger than ${this.settings.maxBodyBytes} bytes.`);
      throw error;
    }
  }

  private async send(
    whole: CompositeContext,
    part: { method: string; path: string; body: unknown },
    limit: number,
  ): Promise<SubAnswer> {
    const body = part.body === undefined ? undefined : JSON.stringify(part.body);
    const reads = part.method === 'GET';
    if (reads && limit <= 0) return tooMuchRead(this.settings.maxCompositeReadBytes);
    // The response to a write is never cut off, because the change has been made.
    const answer = await this.parts.send(whole, { ...part, body }, reads ? limit : Infinity);
    if (answer.tooLarge) return { ...tooMuchRead(this.settings.maxCompositeReadBytes), tooLarge: true };
    if (answer.broken) return detail(500, 'Internal server error.');
    if (!answer.body.length) return { status: answer.status, body: 'null' };
    if (!/^application\/json\b/.test(answer.type)) return detail(400, ALONE);
    return { status: answer.status, body: answer.body.toString('utf8'), failure: answer.failure };
  }
}
