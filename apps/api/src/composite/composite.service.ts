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

/** What a request of the composite one was answered; `body` is JSON text. */
interface SubAnswer {
  readonly status: number;
  readonly body: string;
  /** An unexpected error. */
  readonly failure?: unknown;
  /** There was no room left for it. */
  readonly tooLarge?: boolean;
}

const detail = (status: number, text: string): SubAnswer => ({
  status,
  body: JSON.stringify({ detail: shortened(text) }),
});
const failed = ({ status }: SubAnswer): boolean => status >= 400;

/** Ends the transaction of a composite request that has failed, and brings its answers out of it. */
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
    composite: CompositeContext,
    { all_or_none: allOrNone = true, strict_ref_checking: strict = false, ...body }: CompositeRequest,
  ): Promise<JsonText> {
    const requests = readSubRequests(body.composite_request, composite.strict, (method, path) =>
      this.lone.includes(method, path),
    );
    const answers = await (allOrNone
      ? this.together(composite, requests, strict)
      : this.each(composite, requests, strict, false));
    const entries = requests.map(
      ({ referenceId }, place) =>
        `{"reference_id":${JSON.stringify(referenceId)},"http_status_code":${answers[place]?.status},` +
        `"body":${answers[place]?.body}}`,
    );
    return new JsonText(`{"composite_response":[${entries.join(',')}]}`);
  }

  /**
   * All requests in one transaction. It is undone at the first failure, which answers for itself; the others have not
   * happened.
   */
  private async together(
    composite: CompositeContext,
    requests: readonly SubRequest[],
    strict: boolean,
  ): Promise<readonly SubAnswer[]> {
    try {
      // Permissions may have changed within it; other requests see the change once it has ended.
      return await this.principals.forgetAfter(
        inTransaction(this.em, composite.actor, () => this.each(composite, requests, strict, true)),
      );
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      const failedIndex = error.answers.length - 1;
      const failed = requests[failedIndex]?.referenceId;
      const why = `Not executed: "${failed}" failed, and either all requests succeed or none.`;
      return requests.map((_, place) => (place === failedIndex && error.answers[place]) || detail(424, why));
    }
  }

  /** One request after the other. Throws `Failed` at the first that fails where all have to succeed. */
  private async each(
    composite: CompositeContext,
    requests: readonly SubRequest[],
    strict: boolean,
    allOrNone: boolean,
  ): Promise<readonly SubAnswer[]> {
    const answers: SubAnswer[] = [];
    const known = new Map<string, () => unknown>();
    // What is read is held in memory until the last answer is there. What writes answer is small.
    let left = this.settings.maxCompositeReadBytes;
    for (const request of requests) {
      const answer = await this.one(composite, request, strict, known, left);
      // A transaction that lost against another one is to run again, as a whole.
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
    composite: CompositeContext,
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
      return await this.send(composite, { method, path: path.value, body: body.value }, limit);
    } catch (error) {
      if (error instanceof TooLarge)
        return detail(413, `References make this request larger than ${this.settings.maxBodyBytes} bytes.`);
      throw error;
    }
  }

  private async send(
    composite: CompositeContext,
    part: { method: string; path: string; body: unknown },
    limit: number,
  ): Promise<SubAnswer> {
    const body = part.body === undefined ? undefined : JSON.stringify(part.body);
    const reads = part.method === 'GET';
    if (reads && limit <= 0) return tooMuchRead(this.settings.maxCompositeReadBytes);
    // What a write answers is taken whole: the change has happened.
    const answer = await this.parts.send(composite, { ...part, body }, reads ? limit : Infinity);
    if (answer.tooLarge) return { ...tooMuchRead(this.settings.maxCompositeReadBytes), tooLarge: true };
    if (answer.broken) return detail(500, 'Internal server error.');
    if (!answer.body.length) return { status: answer.status, body: 'null' };
    if (!/^application\/json\b/.test(answer.type)) return detail(400, ALONE);
    return { status: answer.status, body: answer.body.toString('utf8'), failure: answer.failure };
  }
}
