/** The encryption purpose of a provider's client secret: see `SecretBox`. */
export const CLIENT_SECRET_PURPOSE = 'identity-provider.client-secret';

/** The scope that makes a request one of OpenID Connect. */
const OPENID = 'openid';

export const DEFAULT_SCOPES = [OPENID, 'profile', 'email'];

/** The names that OpenID Connect gives claims; `groups` is what most providers call theirs. */
export const DEFAULT_CLAIMS = {
  email: 'email',
  first_name: 'given_name',
  last_name: 'family_name',
  groups: 'groups',
} as const;

/** Unicode code points of an issuer. */
export const MAX_ISSUER_LENGTH = 500;

/** Mappings of groups of one provider. */
export const MAX_GROUP_MAPPINGS = 500;

/** Minutes within which a person has to sign in with a provider. */
export const SIGN_IN_MINUTES = 10;

/**
 * How many seconds before a confirmation begins a person may have signed in at the provider: the clocks may differ by
 * that much.
 */
export const MAX_CLOCK_DIFFERENCE_SECONDS = 60;

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether the addresses of a provider may have this URL: https, or http on the machine itself. */
export const isSafeProviderUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));

/** Validation error of an issuer. */
export function issuerError(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && !/[?#@\s\\]/.test(text) && isSafeProviderUrl(url);
  return isPlain
    ? undefined
    : 'Enter the issuer as the provider publishes it, such as https://login.example.com: https, no query.';
}

/** Validation error of a scope (RFC 6749, section 3.3). */
export const scopeError = (text: string): string | undefined =>
  /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text) ? undefined : 'Enter a scope without blanks, such as profile.';

/** Validation error of the domain of e-mail addresses. */
export const domainError = (text: string): string | undefined =>
  /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u.test(text) ? undefined : 'Enter a domain such as example.com.';

/** Scopes without duplicates, and with the one that every sign-in needs. */
export const cleanScopes = (scopes: readonly string[]): string[] => [...new Set([OPENID, ...scopes])];

/** Domains in lower case, without duplicates. */
export const cleanDomains = (domains: readonly string[]): string[] => [
  ...new Set(domains.map((domain) => domain.toLowerCase())),
];
