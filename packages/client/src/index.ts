import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { components, operations, paths } from './openapi.js';

export type { components, operations, paths };

/** A client with one method for each HTTP method, typed by the paths of the API. */
export type MerlonClient = Client<paths>;

export interface MerlonClientOptions extends Omit<ClientOptions, 'baseUrl'> {
  /** The address of Merlon, such as `https://merlon.example.com`. */
  readonly url: string;
  /** An API token. Leave it out in a browser that is signed in to Merlon. */
  readonly token?: string;
}

/** Creates a client. The service rejects parameters and fields that it does not know, instead of ignoring them. */
export function createMerlonClient({ url, token, headers, ...options }: MerlonClientOptions): MerlonClient {
  return createClient<paths>({
    ...options,
    baseUrl: url,
    headers: {
      Prefer: 'handling=strict',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...Object.fromEntries(new Headers(headers as HeadersInit | undefined)),
    },
  });
}
