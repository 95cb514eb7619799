import type { ClaimNames } from '../identity-provider/identity-provider.fields.js';
import { isEmail, MAX_PERSON_NAME_LENGTH } from '../user/user.rules.js';

/** The claims that a provider has returned about a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** Who a provider says that a person is. */
export interface ProviderPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Undefined without a valid address. */
  readonly email: string | undefined;
  /** Undefined if the provider does not say whether it has verified the address. */
  readonly emailVerified: boolean | undefined;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: ReadonlySet<string>;
}

/** Claims about the token instead of the person. */
const PROTOCOL_CLAIMS: ReadonlySet<string> = new Set([
  'at_hash',
  'aud',
  'azp',
  'c_hash',
  'exp',
  'iat',
  'jti',
  'nbf',
  'nonce',
  's_hash',
  'sid',
]);

/** Characters of claims that an activity stores. */
const MAX_SHOWN_CLAIMS_LENGTH = 10_000;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim().normalize('NFC') : '');

/** A name within its limit. PostgreSQL stores no NUL. */
const nameOf = (value: unknown): string =>
  [...textOf(value).replaceAll('\0', '')].slice(0, MAX_PERSON_NAME_LENGTH).join('');

/** Some providers send booleans as texts. */
function booleanOf(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  return value === true || value === 'true';
}

/** A list of texts, or one text; anything else is no group. */
const groupsOf = (value: unknown): ReadonlySet<string> =>
  new Set([value].flat(1).filter((group): group is string => typeof group === 'string' && group !== ''));

/** Reads the claims that a provider's settings name. */
export function personOf(claims: Claims, names: ClaimNames): ProviderPerson {
  const email = textOf(claims[names.email]);
  const isAddress = isEmail(email);
  return {
    issuer: textOf(claims['iss']),
    subject: String(claims['sub']),
    email: isAddress ? email : undefined,
    emailVerified: booleanOf(claims['email_verified']),
    firstName: nameOf(claims[names.first_name]) || nameOf(claims['name']) || nameOf(email.split('@')[0]) || 'Unnamed',
    lastName: nameOf(claims[names.last_name]),
    groups: groupsOf(claims[names.groups]),
  };
}

/** Whether the claims lack one that the settings name and that another request may return. */
export const isIncomplete = (claims: Claims, names: ClaimNames, hasMappings: boolean): boolean =>
  [names.email, names.first_name, names.last_name, ...(hasMappings ? [names.groups] : [])].some(
    (name) => claims[name] === undefined,
  );

/** The claims about the person, for administrators: if they are too long, only their names. */
export function shownClaims(claims: Claims): Claims {
  const entries = Object.entries(claims).filter(([name]) => !PROTOCOL_CLAIMS.has(name));
  const text = JSON.stringify(Object.fromEntries(entries)).replaceAll('\\u0000', '');
  if (text.length <= MAX_SHOWN_CLAIMS_LENGTH) return JSON.parse(text) as Claims;
  return { too_long: entries.map(([name]) => name.slice(0, 100)).slice(0, 50) };
}
