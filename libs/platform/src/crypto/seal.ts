import { createHmac, timingSafeEqual } from 'node:crypto';

const DIGEST_LENGTH = 16;

const digest = (text: string, key: string): Buffer =>
  createHmac('sha256', key).update(text, 'utf8').digest().subarray(0, DIGEST_LENGTH);

/**
 * Signs a text that clients carry and may read but not change, using only characters that need no escaping in a URL.
 *
 * @param text the text to sign
 * @param key a secret combined with the purpose: a text that was sealed for another purpose is not accepted
 */
export const sealText = (text: string, key: string): string =>
  Buffer.concat([digest(text, key), Buffer.from(text, 'utf8')]).toString('base64url');

/**
 * Verifies and returns a text from `sealText`.
 *
 * @param sealed the sealed text
 * @param key the key that it was sealed with
 * @returns the text, or undefined if the signature is not valid
 */
export function unsealText(sealed: string, key: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  // Decoding is lenient, so only the canonical encoding of the bytes is accepted.
  if (bytes.toString('base64url') !== sealed || bytes.length < DIGEST_LENGTH) return undefined;
  const text = bytes.subarray(DIGEST_LENGTH).toString('utf8');
  return timingSafeEqual(bytes.subarray(0, DIGEST_LENGTH), digest(text, key)) ? text : undefined;
}
