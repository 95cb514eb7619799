import { signToken } from '#platform/crypto/short-token.js';
import { type OutboundResponse, OutboundClient } from '#platform/outbound/outbound-client.js';
import { OutboundFailure } from '#platform/outbound/outbound-failure.js';
import {
  type Charge,
  resultTooLarge,
  EngineUnavailable,
  type QueryResult,
  MAX_RESULT_BYTES,
  QueryFailed,
  type ReportEngine,
  type Statement,
  tooLong,
  type Value,
  VALUE_BYTES,
} from './engine.js';
import { isPlain } from './query-error-collector.js';
import { reportingModel } from './model.js';
import { lowerQuery, LOCAL_TIMES } from './lower-query.js';
import type { ReportQuery } from './query.js';

export interface ClusterEngineOptions {
  /** Address of Cube's API: `https://cube.example.com/cubejs-api`. */
  readonly url: string;
  /** `CUBEJS_API_SECRET` of the Cube deployment. */
  readonly secret: string;
  readonly timeoutSeconds: number;
  /** Delay before asking again after Cube has responded "Continue wait". */
  readonly pollMilliseconds?: number;
}

/** A response of Cube. */
interface CubeResponse {
  readonly error?: string;
  readonly data?: readonly Readonly<Record<string, unknown>>[];
  readonly lastRefreshTime?: string;
  readonly total?: number | string;
  readonly sql?: { readonly sql: readonly [string, readonly unknown[]] };
}

const CONTINUE_WAIT = 'Continue wait';
/** Lifetime of the token: the longest that one request may take. */
const TOKEN_SECONDS = 60;
const POLL_MILLISECONDS = 250;
/** Maximum length of a response that is logged when a proxy responds instead of Cube. */
const CAUSE_LENGTH = 500;

/** Formats a value the same way as the embedded engine, whatever database Cube uses. */
function valueOf(name: string, value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (reportingModel().members.get(name)?.type === 'boolean') return value === true || value === 'true' || value === 1;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Parses a response of Cube; returns undefined for anything else. */
function parseResponse(text: string): CubeResponse | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isPlain(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const rowOf = (row: Readonly<Record<string, unknown>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, valueOf(name, value)]));

/** Runs queries on a Cube deployment, which has the same model files and adds the organization from the token. */
export class ClusterEngine implements ReportEngine {
  private readonly key: Uint8Array;

  constructor(private readonly options: ClusterEngineOptions) {
    this.key = new TextEncoder().encode(options.secret);
  }

  async prepare(): Promise<void> {
    // The cluster runs on its own: there is nothing to prepare.
  }

  async load(query: ReportQuery, organization: number, charge?: Charge): Promise<QueryResult> {
    const response = await this.request('load', { ...this.queryOf(query), limit: query.limit + 1 }, organization);
    const data = response.data ?? [];
    for (const row of data)
      for (const value of Object.values(row)) charge?.(VALUE_BYTES + (typeof value === 'string' ? value.length : 0));
    return {
      rows: data.slice(0, query.limit).map(rowOf),
      truncated: data.length > query.limit,
      ...(query.total && { total: Number(response.total ?? 0) }),
      refreshed: new Date(response.lastRefreshTime ?? Date.now()),
    };
  }

  async sql(query: ReportQuery, organization: number): Promise<Statement> {
    const { sql } = await this.request('sql', { ...this.queryOf(query), limit: query.limit + 1 }, organization);
    if (!sql) throw new EngineUnavailable('Cube returned no SQL.');
    const [text, values] = sql.sql;
    return { text, values };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The query in Cube's format. Times stay local, because Cube converts them. */
  private queryOf(query: ReportQuery): object {
    const { order, ...lowered } = lowerQuery(query, reportingModel(), LOCAL_TIMES);
    return {
      ...lowered,
      order: order.map(({ id, desc }) => [id, desc ? 'desc' : 'asc']),
      offset: query.offset,
      total: query.total,
    };
  }

  private async request(endpoint: 'load' | 'sql', query: object, organization: number): Promise<CubeResponse> {
    const deadline = Date.now() + this.options.timeoutSeconds * 1000;
    while (Date.now() < deadline) {
      const response = await this.requestOnce(endpoint, query, organization, deadline);
      if (response.error !== CONTINUE_WAIT) return response;
      await new Promise((resolve) => setTimeout(resolve, this.options.pollMilliseconds ?? POLL_MILLISECONDS));
    }
    throw tooLong();
  }

  private async requestOnce(
    endpoint: string,
    query: object,
    organization: number,
    deadline: number,
  ): Promise<CubeResponse> {
    const token = await signToken(this.key, { organization }, { seconds: TOKEN_SECONDS });
    const client = new OutboundClient({
      allowPrivate: true,
      schemes: ['http:', 'https:'],
      timeoutMilliseconds: Math.max(1, deadline - Date.now()),
      maximumResponseBytes: MAX_RESULT_BYTES,
    });
    let response: OutboundResponse;
    try {
      response = await client.send({
        method: 'POST',
        url: `${this.options.url}/v1/${endpoint}`,
        headers: { authorization: token, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
    } catch (error) {
      if (error instanceof OutboundFailure && error.reason === 'timeout') throw tooLong(error);
      throw new EngineUnavailable('Cube cannot be reached.', { cause: error });
    }
    const { status, text, truncated } = response;
    if (truncated) throw resultTooLarge();
    const parsed = parseResponse(text);
    if (parsed && (parsed.error === CONTINUE_WAIT || status === 200)) return parsed;
    if (parsed && status === 400) throw new QueryFailed(parsed.error ?? 'Cube rejected the query.');
    throw new EngineUnavailable(`Cube responded with ${status}${parsed ? '' : ', but not with a JSON object'}.`, {
      cause: new Error(text.slice(0, CAUSE_LENGTH)),
    });
  }
}
