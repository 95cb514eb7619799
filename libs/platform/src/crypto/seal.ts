import { createHmac, timingSafeEqual } from 'node:crypto';

const DIGEST_LENGTH = 16;

const digest = (text: string, key: string): Buffer =>
  createHmac('sha256', key).update(text, 'utf8').digest().subarray(0, DIGEST_LENGTH);

/**
 * Makes a text that others may carry and read but not change, in characters that need no escaping in a URL.
 *
 * @param text to be sealed
 * @param key a secret, and what the seal is for: the same text sealed for something else is not taken
 */
export const sealText = (text: string, key: string): string =>
  Buffer.concat([digest(text, key), Buffer.from(text, 'utf8')]).toString('base64url');

/**
 * Opens what `sealText` made.
 *
 * @param sealed what came back
 * @param key the same as it was sealed with
 * @returns the text, or undefined where it is not what was sealed
 */
export function unsealText(sealed: string, key: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  // Decoding is lenient: only one spelling of the same bytes is ours.
  if (bytes.toString('base64url') !== sealed || bytes.length < DIGEST_LENGTH) return undefined;
  const text = bytes.subarray(DIGEST_LENGTH).toString('utf8');
  return timingSafeEqual(bytes.subarray(0, DIGEST_LENGTH), digest(text, key)) ? text : undefined;
}
