import { hash, randomBytes } from 'node:crypto';

/**
 * The format of generated tokens: prefix, public id, secret. Tokens that are set as ADMIN_TOKEN may have another
 * format.
 */
const TOKEN_FORM = /^mrl_([a-z2-7]{8})_[A-Za-z0-9_-]{43}$/;

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * Generates a secret that can't be guessed.
 *
 * @returns 256 random bits in base64url, 43 characters
 */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/**
 * Generates a new API token: `mrl_`, 8 characters that may be shown (the public id), `_`, and 256 random bits.
 *
 * @returns the token; show it once, and store only its `hashToken`
 */
export function newTokenText(): string {
  const publicId = Array.from(randomBytes(8), (byte) => BASE32.charAt(byte & 31)).join('');
  return `mrl_${publicId}_${newSecret()}`;
}

/**
 * The part of a token that may be shown in lists and logs.
 *
 * @param text a token
 * @returns its public id, or undefined if the token has another format
 */
export function tokenPublicId(text: string): string | undefined {
  return TOKEN_FORM.exec(text)?.[1];
}

/**
 * The form in which tokens are stored and looked up. Tokens have 256 random bits, so a fast hash is enough: they can't
 * be guessed.
 *
 * @param text a token
 * @returns its SHA-256, 32 bytes
 */
export function hashToken(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/**
 * The lookup key of a token: its public id or, for a token of another format, the beginning of its hash. Several tokens
 * may share it; the hash decides.
 *
 * @param text a token
 * @returns 8 characters
 */
export function publicIdOf(text: string): string {
  return tokenPublicId(text) ?? hashToken(text).toString('hex').slice(0, 8);
}
