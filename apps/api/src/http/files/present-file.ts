import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { ErrorResponse } from '../errors/error-response.js';
import { hasVersion } from '../entity-tags.js';
import type { ApiRequest } from '../request.js';
import { attachment } from './file-headers.js';
import type { ByteRange, FileResponse } from './file-response.js';

/**
 * Parses a `Range` header: the requested range, or undefined if the whole file is to be sent: no range, several, or
 * another unit. Throws a 416 if the range is outside the file.
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | undefined {
  const [first, last] = (/^bytes=([^-]*)-([^-]*)$/i.exec(header ?? '') ?? []).slice(1).map((text) => text.trim());
  if (first === undefined || last === undefined || !/^\d*$/.test(first) || !/^\d*$/.test(last)) return undefined;
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(bytes - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= bytes || (first === '' && Number(last) === 0))
    throw new ErrorResponse(416, 'The requested range is not satisfiable.', { 'Content-Range': `bytes */${bytes}` });
  return { start, end };
}

/** Sends a file: all of it, a range, or a 304. A client that does not read is disconnected. */
export async function presentFile(
  { file, open }: FileResponse,
  request: ApiRequest,
  response: Response,
  stallMilliseconds: number,
): Promise<StreamableFile | undefined> {
  const headers = { ETag: file.etag, 'Accept-Ranges': 'bytes' };
  if (hasVersion(request.get('if-none-match'), file.etag)) {
    response.status(304).set(headers);
    return undefined;
  }
  const condition = request.get('if-range');
  const allowsRange = request.method === 'GET' && (condition === undefined || condition.trim() === file.etag);
  const range = allowsRange ? rangeOf(request.get('range'), file.bytes) : undefined;
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 };
  // Before any header is set: an error must not look like a file.
  const stream = request.method === 'HEAD' ? undefined : await open(range);
  response
    .status(range ? 206 : 200)
    .set(headers)
    .set('Content-Type', file.type)
    .set('Content-Length', String(end - start + 1))
    .set('Content-Disposition', attachment(file.name));
  if (range) response.set('Content-Range', `bytes ${start}-${end}/${file.bytes}`);
  if (!stream) return undefined;
  response.setTimeout(stallMilliseconds, () => response.destroy());
  response.once('close', () => stream.destroy());
  // A response that has begun can't become an error, so it is cut off.
  return new StreamableFile(stream).setErrorHandler((error) => {
    request.log.error({ err: error }, 'The file could not be sent');
    response.destroy();
  });
}
