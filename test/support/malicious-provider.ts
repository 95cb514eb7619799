import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { CLIENT } from './oidc-provider.js';

/** What a provider does otherwise than it should. */
export interface Tricks {
  readonly metadata?: (metadata: object) => object;
  /** The claims of the ID token. */
  readonly claims?: (claims: JWTPayload) => JWTPayload;
  /** `foreign`: with a key that it does not publish; `secret`: with the secret of the client. */
  readonly signature?: 'none' | 'foreign' | 'secret';
  /** Changes the parameters of the callback. */
  readonly callback?: (parameters: URLSearchParams) => void;
  /**
   * The responses to some paths: none, a body without an end, slow or fast, a redirect to another address, or JSON.
   */
  readonly answers?: Readonly<Record<string, 'hang' | 'trickle' | 'flood' | { redirect: string } | { json: object }>>;
}

/** A provider that follows the protocol as far as its tricks let it. */
export interface MaliciousProvider {
  readonly issuer: string;
  /** The paths of all requests, in order. */
  readonly requests: readonly string[];
  /** The `Authorization` headers of requests for tokens, in order. */
  readonly authorizations: readonly string[];
  play(tricks: Tricks): void;
  /** Replaces the key with which it signs. */
  rotateKey(): Promise<void>;
  close(): Promise<void>;
}

async function newKey() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = Math.random().toString(36);
  return { privateKey, kid, published: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' } };
}

function sendEndless(response: ServerResponse, pause: number, size: number): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => response.write('x'.repeat(size)), pause);
  response.once('close', () => clearInterval(timer));
}

/** Starts a provider on a loopback address. */
export async function startMaliciousProvider(): Promise<MaliciousProvider> {
  let tricks: Tricks = {};
  let key = await newKey();
  const foreign = await newKey();
  const nonces = new Map<string, string>();
  const requests: string[] = [];
  const authorizations: string[] = [];
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const metadata = (): object => {
    const usual = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    };
    return tricks.metadata?.(usual) ?? usual;
  };

  const authorize = ({ searchParams }: URL): string => {
    const code = Math.random().toString(36).slice(2);
    nonces.set(code, searchParams.get('nonce') ?? '');
    const callback = new URL(searchParams.get('redirect_uri') ?? '');
    callback.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: issuer }).toString();
    tricks.callback?.(callback.searchParams);
    return callback.href;
  };

  const sign = (claims: JWTPayload): Promise<string> | string => {
    if (tricks.signature === 'none') return new UnsecuredJWT(claims).encode();
    if (tricks.signature === 'secret')
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(CLIENT.client_secret));
    const { privateKey, kid } = tricks.signature === 'foreign' ? { ...foreign, kid: key.kid } : key;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
  };

  const tokens = async (code: string): Promise<object> => {
    const seconds = Math.floor(Date.now() / 1000);
    const usual = {
      iss: issuer,
      sub: 'mallory',
      aud: CLIENT.client_id,
      iat: seconds,
      exp: seconds + 60,
      nonce: nonces.get(code) ?? '',
      email: 'mallory@example.com',
      given_name: 'Mallory',
      family_name: 'M',
    };
    const idToken = await sign(tricks.claims?.(usual) ?? usual);
    return { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: idToken };
  };

  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '', issuer);
    requests.push(url.pathname);
    const sendJson = (body: object): unknown =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    const redirect = (location: string): unknown => response.writeHead(302, { Location: location }).end();
    const answer = tricks.answers?.[url.pathname];
    if (answer === 'hang') return;
    if (answer === 'trickle') sendEndless(response, 50, 1);
    else if (answer === 'flood') sendEndless(response, 1, 65_536);
    else if (answer && 'redirect' in answer) redirect(answer.redirect);
    else if (answer) sendJson(answer.json);
    else if (url.pathname === '/authorize') redirect(authorize(url));
    else if (url.pathname === '/keys') sendJson({ keys: [key.published] });
    else if (url.pathname !== '/token') sendJson(metadata());
    else {
      authorizations.push(request.headers.authorization ?? '');
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.once('end', () => void tokens(new URLSearchParams(body).get('code') ?? '').then(sendJson));
    }
  });
  return {
    issuer,
    requests,
    authorizations,
    play: (next) => (tricks = next),
    rotateKey: async () => {
      key = await newKey();
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
