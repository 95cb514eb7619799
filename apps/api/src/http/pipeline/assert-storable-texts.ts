import { isUtf8 } from 'node:buffer';
import { InvalidParameters } from '#query/errors.js';

const decoded = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([\da-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16))),
    'latin1',
  );

/**
 * Rejects query parameters, known or not, that the database can't store: with NUL characters, or with percent-encoded
 * bytes that are not UTF-8, such as lone surrogates. Throws `InvalidParameters`.
 */
export function assertStorableTexts(url: string): void {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('%', start)) return;
  const errors = new Map<string, string[]>();
  for (const parameter of url.slice(start + 1).split('&')) {
    const bytes = decoded(parameter);
    const [name = ''] = bytes.toString().split('=');
    if (bytes.includes(0)) errors.set(name, ['Null characters are not allowed.']);
    else if (!isUtf8(bytes)) errors.set(name, ['This is not valid UTF-8.']);
  }
  if (errors.size) throw new InvalidParameters(Object.fromEntries(errors));
}
