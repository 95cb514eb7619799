import { createHash, randomBytes } from 'node:crypto';

/**
 * The form of the tokens that we hand out: prefix, public id, secret. Tokens given as ADMIN_TOKEN may look otherwise.
 */
const TOKEN_FORM = /^mrl_([a-z2-7]{8})_[A-Za-z0-9_-]{43}$/;

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * Makes the text of a new API token: `mrl_`, 8 characters that may be shown (the public id), `_`, and 256 random bits.
 *
 * @returns the token; it is to be shown once and stored as `hashToken` of it
 */
export function newTokenText(): string {
  const publicId = Array.from(randomBytes(8), (byte) => BASE32.charAt(byte & 31)).join('');
  return `mrl_${publicId}_${randomBytes(32).toString('base64url')}`;
}

/**
 * The part of a token that may be shown in lists and logs.
 *
 * @param text a token
 * @returns its public id, or undefined where the token is not of our form
 */
export function tokenPublicId(text: string): string | undefined {
  return TOKEN_FORM.exec(text)?.[1];
}

/**
 * The form in which tokens are stored and looked up. Tokens have 256 random bits, so one plain hash is enough: there
 * is nothing to guess that a slow hash would protect.
 *
 * @param text a token
 * @returns its SHA-256, 32 bytes
 */
export function hashToken(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/**
 * What a token is found by: the public id in it, or, for one that looks otherwise, the beginning of its hash. Several
 * tokens may share it; the hash decides.
 *
 * @param text a token
 * @returns 8 characters
 */
export function publicIdOf(text: string): string {
  return tokenPublicId(text) ?? hashToken(text).toString('hex').slice(0, 8);
}
