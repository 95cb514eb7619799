import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import { bodyOf } from './client.js';
import { type TestApi, useTestApi } from './api.js';
import { useForSuite } from './use-for-suite.js';

export const CLIENT = { client_id: 'merlon', client_secret: 'a secret of this client, known to both' };

/** Someone who has an account at the provider: the claims about them. */
export type Person = Readonly<Record<string, unknown>>;

/** The real `oidc-provider` on a loopback address. */
export interface OidcProvider {
  readonly issuer: string;
  /** The paths of all requests, in order. */
  readonly requests: readonly string[];
  /**
   * Signs this account in at the next sign-in, with these claims.
   *
   * @param secondsAgo when the person proved who they are
   */
  signIn(subject: string, person: Person, secondsAgo?: number): void;
  close(): Promise<void>;
}

/** Starts a provider with one client: the API at this origin. */
async function startOidcProvider(clientOrigin: string): Promise<OidcProvider> {
  const people = new Map<string, Person>();
  const requests: string[] = [];
  let current = { accountId: '', secondsAgo: 0 };
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [`${clientOrigin}/auth/oidc/callback`],
        post_logout_redirect_uris: [`${clientOrigin}/`],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'first' }] },
    cookies: { keys: ['a key of the cookies of this provider'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'groups'],
    },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    requests.push((request.url ?? '').split('?')[0] ?? '');
    if (request.url?.startsWith('/interaction/')) {
      const { accountId, secondsAgo } = current;
      const ts = Math.floor(Date.now() / 1000) - secondsAgo;
      void provider.interactionFinished(request, response, { login: { accountId, ts } });
    } else void handle(request, response);
  });
  return {
    issuer,
    requests,
    signIn: (subject, person, secondsAgo = 0) => {
      current = { accountId: subject, secondsAgo };
      people.set(subject, person);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The API may call providers in the own network. */
export const PRIVATE_PROVIDERS = { SIGN_IN_ALLOW_PRIVATE: 'true' };

/** For a whole spec file: a provider for its API, which needs `PRIVATE_PROVIDERS`. */
export const useProviderFor = (test: TestApi): OidcProvider => useForSuite(() => startOidcProvider(test.origin));

/** For a whole spec file: an API and a provider for it. */
export function useOidcProvider(): { readonly test: TestApi; readonly provider: OidcProvider } {
  const test = useTestApi(PRIVATE_PROVIDERS);
  return { test, provider: useProviderFor(test) };
}

/** Creates a provider in the API; returns its id. */
export async function makeIdentityProvider(
  test: Pick<TestApi, 'api'>,
  { issuer }: { readonly issuer: string },
  fields: object = {},
): Promise<number> {
  const body = { name: `Provider ${Math.random().toString(36).slice(2)}`, issuer, ...CLIENT, ...fields };
  return (await bodyOf(test.api.post<{ id: number }>('/identity-providers/', body), 201)).id;
}
