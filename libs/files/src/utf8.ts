import { unreadable } from './invalid-files.js';

/** The encodings of files, by the name of their decoder. */
const NAMES = { 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16', 'utf-16be': 'UTF-16' } as const;

export type Encoding = keyof typeof NAMES;

/**
 * Decodes a file chunk by chunk, without its byte order mark. Throws `InvalidFiles` if it does not have the encoding.
 */
export async function* decoded(
  file: string,
  content: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: false });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw unreadable(file, `The file is not ${NAMES[encoding]}. Save it in that encoding.`);
    }
  };
  for await (const chunk of content) {
    const text = decode(chunk);
    if (text !== '') yield text;
  }
  const rest = decode();
  if (rest !== '') yield rest;
}

/** Decodes UTF-8. */
export const utf8 = (file: string, content: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> =>
  decoded(file, content, 'utf-8');
