import { finished } from 'node:stream/promises';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { fieldNames } from '#query/projection.js';
import { Settings } from '../../settings.js';
import { Problem } from '../errors/problem.js';
import { MULTIPART, UploadedForm } from '../files/upload.js';
import { type ApiRequest, requestOf } from '../request.js';
import { ROUTE, type RouteDeclaration } from '../routes/route.decorators.js';
import { BodyContent } from './body-content.js';

/** After access, before anything is looked up: what is asked for can be given (406), and what is sent can be read (415, 413). */
@Injectable()
export class MediaGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const route = this.reflector.get<RouteDeclaration | undefined>(ROUTE, context.getHandler());
    if (!route) return true;
    if (!takes(request, route)) throw new Problem(406, 'Could not satisfy the request Accept header.');
    if (request.method === 'GET' || request.method === 'HEAD') return true;
    try {
      request.body = route.upload ? this.upload(request) : await this.content(request, route);
      return true;
    } catch (error) {
      await untilSent(request);
      throw error;
    }
  }

  private async content(request: ApiRequest, route: RouteDeclaration): Promise<BodyContent> {
    const tolerated = new Set([...(route.projection ? fieldNames(route.projection) : []), ...(route.beside ?? [])]);
    const { strict, actor } = request;
    return new BodyContent(await this.read(request), strict, tolerated, actor?.flags ?? new Set());
  }

  /** The file is taken later, as it comes; what is announced to be too large is refused at once. */
  private upload(request: ApiRequest): UploadedForm {
    const type = request.headers['content-type'] ?? '';
    if (!type.toLowerCase().startsWith(`${MULTIPART};`)) throw unsupported(type);
    refuseCompression(request);
    const form = new UploadedForm(request, request.strict, this.settings.maxUploadBytes);
    form.refuseAnnounced();
    return form;
  }

  private async read(request: ApiRequest): Promise<Buffer> {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced === 0 && request.headers['transfer-encoding'] === undefined) return Buffer.alloc(0);
    const type = request.headers['content-type'] ?? '';
    if (!isJson(type)) throw unsupported(type);
    refuseCompression(request);
    const limit = this.settings.maxBodyBytes;
    const tooLarge = () => new Problem(413, `The request body is larger than ${limit} bytes.`);
    if (announced > limit) throw tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    // The connection stays, so that a caller who is still sending gets to read the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) break;
      chunks.push(chunk);
    }
    if (size <= limit) return Buffer.concat(chunks);
    // The rest is read and dropped: the next request stands behind it.
    request.resume();
    throw tooLarge();
  }
}

/** How long who is still sending is waited for before they are refused. */
const PATIENCE_MILLISECONDS = 10_000;

/**
 * Reads on and drops what a refused caller still sends, where the connection closes with the answer: closed before, it
 * would break under them, and they would never read why.
 */
async function untilSent(request: ApiRequest): Promise<void> {
  const { complete, httpVersion, headers } = request;
  const connection = headers.connection ?? '';
  const closes = httpVersion === '1.0' ? !/\bkeep-alive\b/i.test(connection) : /\bclose\b/i.test(connection);
  if (complete || !closes) return;
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  await finished(request.resume(), { signal, cleanup: true }).catch(() => undefined);
}

const unsupported = (type: string): Problem => new Problem(415, `Unsupported media type "${type}" in request.`);

/** JSON, in the one encoding that JSON has. Other parameters of the type mean nothing to us. */
function isJson(type: string): boolean {
  const [mediaType, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  return (
    mediaType === 'application/json' &&
    parameters.every((part) => !part.startsWith('charset') || /^charset\s*=\s*"?utf-?8"?$/.test(part))
  );
}

function refuseCompression({ headers }: ApiRequest): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Problem(415, 'Compressed request bodies are not supported.');
}

/**
 * Whether the caller takes JSON, or the file that the route answers: its errors are JSON all the same. Parameters of a
 * media range, such as `indent=4`, ask for nothing that we could refuse.
 */
function takes(request: ApiRequest, { produces }: RouteDeclaration): boolean {
  const { accept } = request.headers;
  if (accept === undefined) return true;
  request.headers.accept = accept.replace(/;\s*(?!q\s*=)[^;,]*/gi, '');
  return request.accepts(['application/json', ...(produces ?? [])]) !== false;
}
