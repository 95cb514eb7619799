import { Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import {
  CLIENT_SECRET_PURPOSE,
  isSafeProviderUrl,
  MAX_CLOCK_DIFFERENCE_SECONDS,
} from '#domain/access/identity-provider/identity-provider.rules.js';
import type { SignInProvider } from '#domain/access/identity-provider/sign-in-provider.js';
import { type Claims, isIncomplete } from '#domain/access/identity/provider-claims.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import { OutboundClient } from '#platform/outbound/outbound-client.js';
import { outboundFetch } from '#platform/outbound/outbound-fetch.js';
import { SignInFailure, providerFailure } from './sign-in-failure.js';

/** Longer responses are rejected. Documents of keys, the longest ones, have some 20 kB. */
const MAX_RESPONSE_BYTES = 1_000_000;

/** How long the metadata of a provider are cached. Its keys are not: a new one is accepted at once. */
const METADATA_MILLISECONDS = 60_000;

/** Maximum number of issuers in the cache; a full cache is emptied. */
const MAX_ISSUERS = 1000;

/** What protects one sign-in; see RFC 7636 and OpenID Connect Core, section 3.1.2.1. */
export interface SignInProtection {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Where the browser returns, and whether the person has to sign in again, although the provider knows them. */
interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly again: boolean;
}

/** What a provider has confirmed. */
export interface Confirmation {
  readonly claims: Claims;
  readonly idToken: string;
}

interface CachedMetadata {
  readonly metadata: Promise<oidc.ServerMetadata>;
  readonly until: number;
}

/**
 * Sends the secret of the client by HTTP Basic. Not all providers decode it, so that only those characters are encoded
 * that have to be (RFC 6749, section 2.3.1); the library also encodes `-`, `_`, `.` and `~`, which many secrets have.
 */
const basicAuthentication =
  (secret: string): oidc.ClientAuth =>
  (_metadata, { client_id: id }, _body, headers) => {
    const [name, password] = [id, secret].map((text) => encodeURIComponent(text).replaceAll('%20', '+'));
    headers.set('Authorization', `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`);
  };

/** How the token endpoint learns who we are: the first of these that the provider supports. */
function authenticationOf({ token_endpoint_auth_methods_supported: supported }: oidc.ServerMetadata, secret: string) {
  if (secret === '') return oidc.None();
  // Without a list, it is this one (OpenID Connect Discovery, section 3).
  return supported?.includes('client_secret_basic') === false
    ? oidc.ClientSecretPost(secret)
    : basicAuthentication(secret);
}

/** Whether a browser may be sent to this address, which the provider has published. */
const isSafePage = (address: string | undefined): boolean =>
  address !== undefined && URL.canParse(address) && isSafeProviderUrl(new URL(address));

/** Speaks OpenID Connect with identity providers. */
@Injectable()
export class ProviderClient {
  private readonly fetch: ReturnType<typeof outboundFetch>;
  private readonly cache = new Map<string, CachedMetadata>();

  constructor(
    settings: Settings,
    private readonly secrets: SecretBox,
  ) {
    const client = new OutboundClient({
      allowPrivate: settings.signInAllowPrivate,
      schemes: ['https:', 'http:'],
      timeoutMilliseconds: settings.signInTimeoutSeconds * 1000,
      maximumResponseBytes: MAX_RESPONSE_BYTES,
    });
    this.fetch = outboundFetch(client, isSafeProviderUrl);
  }

  /** Where the browser signs in. Throws `SignInFailure`. */
  async authorizationUrl(
    provider: SignInProvider,
    { redirectUri, again }: AuthorizationRequest,
    { state, nonce, verifier }: SignInProtection,
  ): Promise<URL> {
    const configuration = await this.configurationOf(provider);
    if (!isSafePage(configuration.serverMetadata().authorization_endpoint))
      throw new SignInFailure(`The sign-in page of ${provider.name} has an address that is not https.`);
    return oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: provider.scopes.join(' '),
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // `max_age` also asks for the time of the sign-in. Some providers reject 0, although the standard allows it.
      ...(again && { prompt: 'login', max_age: String(MAX_CLOCK_DIFFERENCE_SECONDS) }),
    });
  }

  /** Exchanges the code in the callback's URL for claims that the provider has signed. Throws `SignInFailure`. */
  async confirm(provider: SignInProvider, callback: URL, protection: SignInProtection): Promise<Confirmation> {
    const configuration = await this.configurationOf(provider);
    // Otherwise the library trusts the connection, and does not check the signature of the ID token.
    oidc.enableNonRepudiationChecks(configuration);
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, callback, {
        pkceCodeVerifier: protection.verifier,
        expectedState: protection.state,
        expectedNonce: protection.nonce,
        idTokenExpected: true,
      });
      const claims: Claims | undefined = tokens.claims();
      const { id_token: idToken } = tokens;
      if (!claims || idToken === undefined) throw new Error('There is no ID token, though one is expected.');
      return { claims: await this.complete(provider, configuration, claims, tokens.access_token), idToken };
    } catch (error) {
      throw providerFailure(provider, error);
    }
  }

  /** Where the browser signs out of the provider; undefined if it does not support that or can't be reached. */
  async signOutUrl(provider: SignInProvider, idToken: string, returnTo: string): Promise<URL | undefined> {
    const configuration = await this.configurationOf(provider).catch((error: unknown) => {
      // The session here ends in any case.
      if (error instanceof SignInFailure) return undefined;
      throw error;
    });
    if (!configuration || !isSafePage(configuration.serverMetadata().end_session_endpoint)) return undefined;
    return oidc.buildEndSessionUrl(configuration, {
      id_token_hint: idToken,
      post_logout_redirect_uri: returnTo,
    });
  }

  /** Adds what the ID token lacks; its own claims take precedence. */
  private async complete(
    provider: SignInProvider,
    configuration: oidc.Configuration,
    claims: Claims,
    accessToken: string,
  ): Promise<Claims> {
    const hasEndpoint = configuration.serverMetadata().userinfo_endpoint !== undefined;
    if (!hasEndpoint || !isIncomplete(claims, provider.claims, provider.groupMappings.length > 0)) return claims;
    return { ...(await oidc.fetchUserInfo(configuration, accessToken, String(claims['sub']))), ...claims };
  }

  /** A new configuration for each use, because its object is what the library caches keys for. */
  private async configurationOf(provider: SignInProvider): Promise<oidc.Configuration> {
    const secret = this.secrets.open(provider.sealedClientSecret, CLIENT_SECRET_PURPOSE);
    if (secret === undefined)
      throw new SignInFailure(
        `The client secret of ${provider.name} can't be decrypted: its SECRET_KEY is gone. An administrator has to ` +
          'enter it again.',
      );
    const metadata = await this.metadataOf(provider);
    const authentication = authenticationOf(metadata, secret);
    const configuration = new oidc.Configuration(metadata, provider.clientId, undefined, authentication);
    // Which URLs may be plain HTTP is decided by `isSafeProviderUrl`.
    oidc.allowInsecureRequests(configuration);
    configuration[oidc.customFetch] = this.fetch;
    return configuration;
  }

  private async metadataOf(provider: SignInProvider): Promise<oidc.ServerMetadata> {
    const { issuer, clientId } = provider;
    const cached = this.cache.get(issuer);
    if (cached && cached.until > Date.now()) return cached.metadata;
    const options: oidc.DiscoveryRequestOptions = {
      [oidc.customFetch]: this.fetch,
      execute: [oidc.allowInsecureRequests],
    };
    const metadata = oidc.discovery(new URL(issuer), clientId, undefined, undefined, options).then(
      (configuration) => configuration.serverMetadata(),
      (error: unknown) => {
        this.cache.delete(issuer);
        throw providerFailure(provider, error);
      },
    );
    if (this.cache.size >= MAX_ISSUERS) this.cache.clear();
    this.cache.set(issuer, { metadata, until: Date.now() + METADATA_MILLISECONDS });
    return metadata;
  }
}
