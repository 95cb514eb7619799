import createClient from 'openapi-fetch';
import type { paths } from './openapi.d.ts';
import { confirmation, type Pause, sessionEnd } from './pauses.ts';

/** The path below which the service is reached: `/` unless a proxy adds a prefix. */
export const basePath = document.querySelector<HTMLMetaElement>('meta[name=base]')?.content ?? '/';

/** The messages of a field, also of its parts. */
const messagesOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? [...new Set(Object.values(value).map(messagesOf))].join(' ')
    : String(value);

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An error response. Its texts are written for people. */
export class ApiError extends Error {
  readonly status: number;
  /** Messages by the name of a field of the request. */
  readonly fields: Readonly<Record<string, string>>;
  /** Messages by name, of the fields whose values have names themselves. */
  readonly entries: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The item as it is now, if someone else has changed it. */
  readonly current: unknown;

  constructor(status: number, body: unknown) {
    const { detail, current, ...others } = (typeof body === 'object' && body !== null ? body : {}) as {
      detail?: unknown;
      current?: unknown;
    };
    const fields = Object.entries(others).map(([name, messages]) => [name, messagesOf(messages)] as const);
    super(typeof detail === 'string' ? detail : fields.map(([, message]) => message).join(' '));
    this.status = status;
    this.fields = Object.fromEntries(fields);
    this.entries = Object.fromEntries(
      Object.entries(others).flatMap(([field, messages]) =>
        isMap(messages)
          ? [[field, Object.fromEntries(Object.entries(messages).map(([name, value]) => [name, messagesOf(value)]))]]
          : [],
      ),
    );
    this.current = current;
  }
}

/** The error of a session that must be confirmed names this path. */
const CONFIRMATION_PATH = '/auth/reauthenticate/';

/** What a person has to do before a request can succeed, if anything. */
async function pauseFor(response: Response): Promise<Pause | undefined> {
  if (response.status === 401) return sessionEnd;
  if (response.status !== 403) return undefined;
  return (await response.clone().text()).includes(CONFIRMATION_PATH) ? confirmation : undefined;
}

/**
 * Sends a request. If the session has ended, or must be confirmed, it is sent again after that, so that nothing typed
 * is lost.
 */
async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request);
  if (new URL(request.url).pathname.startsWith(`${basePath}auth/`)) return response;
  const pause = await pauseFor(response);
  return pause && (await pause.wait()) ? fetch(again) : response;
}

export const client = createClient<paths>({ baseUrl: basePath.replace(/\/$/, ''), fetch: send });

/** What a query returns: `DataOf<typeof projectsQuery>`. */
export type DataOf<Query extends (...parameters: never[]) => { readonly queryFn?: unknown }> =
  NonNullable<ReturnType<Query>['queryFn']> extends (...parameters: never[]) => infer Result ? Awaited<Result> : never;

export interface FetchResult<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the body of a successful response, and throws an `ApiError` otherwise. */
export async function bodyOf<Data>(sent: Promise<FetchResult<Data>>): Promise<Data> {
  return (await taggedBodyOf(sent)).item;
}

/** An item with the tag that a change of it must send back. */
export interface Tagged<Item> {
  readonly item: Item;
  readonly etag: string;
}

export async function taggedBodyOf<Data>(sent: Promise<FetchResult<Data>>): Promise<Tagged<Data>> {
  const { data, error, response } = await sent;
  if (!response.ok) throw new ApiError(response.status, error);
  return { item: data as Data, etag: response.headers.get('ETag') ?? '' };
}

/** The header with which a change is made only if the item is still as the tag says: otherwise, the error is a 412. */
export const ifUnchanged = (etag: string) => ({ 'If-Match': etag });
