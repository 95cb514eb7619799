import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Messages by field or parameter, or `detail`. */
export type ErrorBody = { [name: string]: Json };

/** A response. `body` is the parsed JSON, or undefined. */
export interface Answer<Body = Json> {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Body;
}

export interface RequestOptions {
  readonly headers?: OutgoingHttpHeaders;
  /** Query parameters; a list repeats the parameter. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly (string | number)[] | undefined>>;
  /** Sent unchanged instead of JSON. */
  readonly raw?: string | Buffer;
}

/** Checks every response; throws if it breaks a promise of the API. */
export type AnswerCheck = (answer: Answer, requestHeaders: OutgoingHttpHeaders) => void;

const agent = new Agent({ keepAlive: true });

/** `?a=1&b=2`, or an empty string. */
export function queryString(query: RequestOptions['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const entry of Array.isArray(value) ? value : [value])
      if (entry !== undefined) parameters.append(name, String(entry));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

let running = 0;

/** The number of requests of this process in progress. */
export const runningRequests = (): number => running;

/** A client of the API as one caller. Paths are below `/api/v2`, or absolute URLs of the same service. */
export class ApiClient {
  constructor(
    readonly origin: string,
    private readonly check: AnswerCheck,
    private readonly defaults: OutgoingHttpHeaders = {},
  ) {}

  /** The same client with this token; null sends no credentials. */
  as(token: string | null): ApiClient {
    const { Authorization: _, ...others } = this.defaults;
    return new ApiClient(
      this.origin,
      this.check,
      token === null ? others : { ...others, Authorization: `Token ${token}` },
    );
  }

  /** The same client with these headers on every request, and without those that are undefined. */
  with(headers: OutgoingHttpHeaders): ApiClient {
    const all = Object.entries({ ...this.defaults, ...headers });
    return new ApiClient(this.origin, this.check, Object.fromEntries(all.filter(([, value]) => value !== undefined)));
  }

  /** The same client with strict handling. */
  get strict(): ApiClient {
    return this.with({ Prefer: 'handling=strict' });
  }

  get<Body = Json>(
    path: string,
    query?: RequestOptions['query'],
    headers?: OutgoingHttpHeaders,
  ): Promise<Answer<Body>> {
    return this.send<Body>('GET', path, undefined, { ...(query && { query }), ...(headers && { headers }) });
  }

  post<Body = Json>(path: string, body?: unknown, options?: RequestOptions): Promise<Answer<Body>> {
    return this.send<Body>('POST', path, body, options);
  }

  patch<Body = Json>(path: string, body?: unknown, options?: RequestOptions): Promise<Answer<Body>> {
    return this.send<Body>('PATCH', path, body, options);
  }

  delete<Body = Json>(path: string, body?: unknown, options?: RequestOptions): Promise<Answer<Body>> {
    return this.send<Body>('DELETE', path, body, options);
  }

  /** Sends any request. `body` is sent as JSON if there is one. */
  async send<Body = Json>(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<Answer<Body>> {
    const payload = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const headers: OutgoingHttpHeaders = {
      Accept: 'application/json',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(payload !== undefined && { 'Content-Length': Buffer.byteLength(payload) }),
      ...this.defaults,
      ...options.headers,
    };
    running += 1;
    const answer = await this.exchange(
      method,
      this.locate(path) + queryString(options.query),
      headers,
      payload,
    ).finally(() => (running -= 1));
    this.check(answer, headers);
    return answer as unknown as Answer<Body>;
  }

  private locate(path: string): string {
    if (path.startsWith(this.origin)) return path.slice(this.origin.length);
    return path.startsWith('/') ? `/api/v2${path}` : path;
  }

  private exchange(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    payload?: string | Buffer,
  ): Promise<Answer> {
    const { hostname, port } = new URL(this.origin);
    return new Promise((resolve, reject) => {
      const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = /^application\/json\b/.test(response.headers['content-type'] ?? '');
          resolve({
            method,
            path,
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            body: (isJson && text !== '' ? JSON.parse(text) : undefined) as Json,
          });
        });
      });
      sent.once('error', (error: NodeJS.ErrnoException) => {
        // The server may close an idle connection at the moment at which it is used again.
        const wasClosing = sent.reusedSocket && error.code === 'ECONNRESET';
        if (wasClosing) resolve(this.exchange(method, path, headers, payload));
        else reject(error);
      });
      sent.end(payload);
    });
  }
}

/** The body of a response with this status; any other status fails the test and shows the response. */
export async function bodyOf<Body>(answer: Answer<Body> | Promise<Answer<Body>>, status = 200): Promise<Body> {
  const { method, path, status: actual, text, body } = await answer;
  if (actual !== status) throw new Error(`${method} ${path}: expected ${status}, got ${actual} ${text.slice(0, 2000)}`);
  return body;
}

/** Names of the fields or parameters that a 400 rejects, in order. */
export async function rejectedFields(answer: Promise<Answer>): Promise<string[]> {
  const body = await bodyOf(answer, 400);
  return typeof body === 'object' && body !== null ? Object.keys(body) : [];
}

/** The rows of a list. */
export async function rowsOf<Row>(answer: Promise<Answer<{ results: Row[] }>>): Promise<Row[]> {
  return (await bodyOf(answer)).results;
}
