import { unreadable } from './invalid-files.js';

const DECODING = { fatal: true, ignoreBOM: false } as const;

/** Decodes a file chunk by chunk, without its byte order mark. Throws `InvalidFiles` if it is not UTF-8. */
export async function* utf8(file: string, content: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', DECODING);
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw unreadable(file, 'The file is not UTF-8. Save it in that encoding.');
    }
  };
  for await (const chunk of content) {
    const text = decode(chunk);
    if (text !== '') yield text;
  }
  const rest = decode();
  if (rest !== '') yield rest;
}
