import { z } from 'zod';

import { loadOnce } from '#platform/once.js';
import type { OutboundClient, OutboundResponse } from '#platform/outbound/outbound-client.js';
import { retryAfterSeconds } from '#platform/outbound/retry-after.js';
import { TrackerBusy, TrackerLacks, TrackerRefusal } from './issue.js';
import { refusalReason } from './refusal-reason.js';
import { isProjectKey, requestHeaders, type Tracker, type TrackerAccess, type TrackerBody } from './tracker.js';

/** A request to a tracker. */
export interface TrackerRequest<Body> {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** The path below the root of the API, with its query. */
  readonly path: string;
  /** `site`: the path is below the address for browsers instead. */
  readonly below?: 'api' | 'site';
  readonly body?: unknown;
  /** The type of the body, if it is not JSON's own. */
  readonly type?: string;
  /** The members of the response that are used. */
  readonly shape: z.ZodType<Body>;
}

/** Responses to a request for something that does not exist, or that the token may not see. */
const ABSENT: readonly number[] = [404, 410];

const anyObject = z.looseObject({});

const REDIRECTS = new Set([301, 302, 307, 308]);

/** The wait if a tracker does not say how long. */
const USUAL_WAIT_SECONDS = 60;

/** Joins parameters of a query: `?a=1&b=x%20y`. */
export function query(parameters: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `?${pairs.join('&')}`;
}

/**
 * How long a tracker asks to wait, in seconds. GitHub says 403 instead of 429: with no requests remaining, or with
 * `Retry-After`.
 */
function waitOf({ status, headers }: OutboundResponse, now: Date): number | undefined {
  const after = retryAfterSeconds(headers['retry-after'], now);
  const isBusy =
    status === 429 ||
    (status === 503 && after !== undefined) ||
    (status === 403 && (after !== undefined || headers['x-ratelimit-remaining'] === '0'));
  if (!isBusy) return undefined;
  const reset = Number(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
  const untilReset = Number.isInteger(reset) ? new Date(reset * 1000).toUTCString() : undefined;
  const seconds = after ?? retryAfterSeconds(untilReset, now) ?? USUAL_WAIT_SECONDS;
  return Math.max(Math.ceil(seconds), 1);
}

/** Sends requests about a project to a tracker, and checks what it returns. It asks for the project once. */
export class TrackerRequests {
  private readonly root: string;
  private readonly found: () => Promise<TrackerBody>;

  constructor(
    private readonly client: OutboundClient,
    private readonly tracker: Tracker,
    private readonly access: TrackerAccess,
    private readonly key: string,
  ) {
    this.root = tracker.apiOf(access);
    this.found = loadOnce(() => this.findProject());
  }

  /** Where people open the tracker, without a slash at the end. */
  get url(): string {
    return this.access.url;
  }

  /** A refusal in the words of the tracker. */
  refusal(text: string): TrackerRefusal {
    return new TrackerRefusal(`${this.tracker.name} ${text}`);
  }

  /** The same, because a connection names something that the tracker does not have. */
  lack(what: TrackerLacks['what'], text: string): TrackerLacks {
    return new TrackerLacks(what, `${this.tracker.name} ${text}`);
  }

  /**
   * Sends a request.
   *
   * @returns the checked body of the response
   * @throws TrackerBusy if the tracker asks for patience
   * @throws TrackerRefusal if it refuses, or the response is not what it documents
   */
  async send<Body>(request: TrackerRequest<Body>): Promise<Body> {
    return this.bodyOf(await this.exchange(request), request.shape);
  }

  /**
   * Sends a request for something that may not exist; undefined if the tracker returns one of the statuses `absent`.
   */
  async find<Body>(request: TrackerRequest<Body>, absent = ABSENT): Promise<Body | undefined> {
    const response = await this.exchange(request);
    return absent.includes(response.status) && waitOf(response, new Date()) === undefined
      ? undefined
      : this.bodyOf(response, request.shape);
  }

  /** What was found, which must exist. */
  present<Found>(found: Found | undefined): Found {
    if (found === undefined) throw this.refusal('has no such issue any more.');
    return found;
  }

  /** The project, which must be visible and have issues. */
  async project<Body>(shape: z.ZodType<Body>): Promise<Body> {
    return this.checked(await this.found(), shape);
  }

  private async findProject(): Promise<TrackerBody> {
    const { key, tracker } = this;
    const path = tracker.projectPath(key);
    const found = isProjectKey(tracker, key) ? await this.find({ path, shape: anyObject }, [403, 404]) : undefined;
    if (found === undefined)
      throw this.lack(
        'project_key',
        `does not show the project \`${key}\` to this token. Check its key, and the rights of the token.`,
      );
    if (!tracker.isProject(found))
      throw this.refusal('returned an unexpected response for the project. Check the URL.');
    if (tracker.hasNoIssues(found))
      throw this.lack('project_key', `has no issues in the project \`${key}\`: switch them on.`);
    return found;
  }

  /**
   * Sends a request, and follows one redirect within the API: trackers redirect from the old name of what was moved.
   */
  private async exchange(request: TrackerRequest<unknown>): Promise<OutboundResponse> {
    const root = request.below === 'site' ? this.access.url : this.root;
    const response = await this.sendTo(root + request.path, request);
    const { location } = response.headers;
    if (!REDIRECTS.has(response.status) || location === undefined || !URL.canParse(location, this.root))
      return response;
    const target = new URL(location, this.root).href;
    return target.startsWith(`${this.root}/`) ? this.sendTo(target, request) : response;
  }

  private sendTo(url: string, { method = 'GET', body, type }: TrackerRequest<unknown>): Promise<OutboundResponse> {
    return this.client.send({
      method,
      url,
      headers: {
        ...requestHeaders(this.tracker, this.access),
        ...(body !== undefined && { 'Content-Type': type ?? 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  private bodyOf<Body>(response: OutboundResponse, shape: z.ZodType<Body>): Body {
    const wait = waitOf(response, new Date());
    if (wait !== undefined) throw new TrackerBusy(wait);
    const { status } = response;
    if (status === 401 || status === 203) throw this.refusal('does not accept the token.');
    if (REDIRECTS.has(status)) throw this.refusal('redirects to another address. Check the URL and the token.');
    if (status < 200 || status >= 300) throw this.refusal(`returned ${status}${refusalReason(response.text)}`);
    if (response.truncated) throw this.refusal('returned a longer response than is read.');
    let body: unknown;
    try {
      body = response.text.trim() === '' ? undefined : JSON.parse(response.text);
    } catch {
      throw this.refusal('returned a response that is not JSON. Check the URL.');
    }
    return this.checked(body, shape);
  }

  private checked<Body>(body: unknown, shape: z.ZodType<Body>): Body {
    const { success, data, error } = shape.safeParse(body);
    if (success) return data;
    const place = error.issues[0]?.path.join('.') ?? '';
    throw this.refusal(`returned an unexpected response${place === '' ? '' : ` (at \`${place}\`)`}. Check the URL.`);
  }
}
