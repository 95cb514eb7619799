import { finished } from 'node:stream/promises';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { Settings } from '#platform/injected.js';
import { fieldNames } from '#query/projection.js';
import { ErrorResponse } from '../errors/error-response.js';
import { MULTIPART, UploadedForm } from '../files/upload.js';
import { type ApiRequest, requestOf } from '../request.js';
import { type RouteDeclaration, RouteMetadata } from '../routes/route.decorators.js';
import { BodyContent } from './body-content.js';

/**
 * Runs after the access guard: checks that the requested format is available (406) and that the body can be read (415,
 * 413). Then a project that the caller can't see is a 404, before the body is parsed.
 */
@Injectable()
export class MediaGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const route = this.reflector.get(RouteMetadata, context.getHandler());
    if (!route) return true;
    if (!acceptsResponseType(request, route))
      throw new ErrorResponse(406, 'Could not satisfy the request Accept header.');
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    try {
      const form = hasBody && route.upload ? this.upload(request) : undefined;
      if (hasBody && !form) this.checkHeaders(request);
      if (request.isProjectHidden) throw new NotFound();
      if (hasBody) request.body = form ?? (await this.content(request, route));
      return true;
    } catch (error) {
      await drainIfClosing(request);
      throw error;
    }
  }

  private async content(request: ApiRequest, route: RouteDeclaration): Promise<BodyContent> {
    const tolerated = new Set([
      ...(route.projection ? fieldNames(route.projection) : []),
      ...(route.extraFields ?? []),
    ]);
    const { strict, actor, ignored } = request;
    return new BodyContent(await this.read(request), strict, tolerated, actor?.flags ?? new Set(), ignored);
  }

  /** Throws errors that follow from the headers alone: a 415, or a 413 if the announced length exceeds the limit. */
  private checkHeaders(request: ApiRequest): void {
    if (!announcesBody(request)) return;
    const type = request.headers['content-type'] ?? '';
    if (!isJson(type)) throw unsupported(type);
    assertUncompressed(request);
    if (Number(request.headers['content-length'] ?? 0) > this.settings.maxBodyBytes) throw this.tooLarge();
  }

  /** The file is streamed later. If its announced size is too large, it is rejected at once. */
  private upload(request: ApiRequest): UploadedForm {
    const type = request.headers['content-type'] ?? '';
    if (!type.toLowerCase().startsWith(`${MULTIPART};`)) throw unsupported(type);
    assertUncompressed(request);
    const form = new UploadedForm(request, request.strict, request.ignored, this.settings.maxUploadBytes);
    form.assertAnnouncedSize();
    return form;
  }

  /** The bytes of a body, or the error to throw if there are more than the limit, whatever its headers announced. */
  private async read(request: ApiRequest): Promise<Buffer | ErrorResponse> {
    if (!announcesBody(request)) return Buffer.alloc(0);
    const limit = this.settings.maxBodyBytes;
    const chunks: Buffer[] = [];
    let size = 0;
    // Keep the connection open, so that a client that is still sending can read the response.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) break;
      chunks.push(chunk);
    }
    if (size <= limit) return Buffer.concat(chunks);
    // Read and drop the rest: the next request on this connection comes after it.
    request.resume();
    await drainIfClosing(request);
    return this.tooLarge();
  }

  private tooLarge(): ErrorResponse {
    return new ErrorResponse(413, `The request body is larger than ${this.settings.maxBodyBytes} bytes.`);
  }
}

const announcesBody = ({ headers }: ApiRequest): boolean =>
  Number(headers['content-length'] ?? 0) !== 0 || headers['transfer-encoding'] !== undefined;

/** How long to wait for a caller that is still sending before the request is rejected. */
const PATIENCE_MILLISECONDS = 10_000;

/**
 * Reads and discards the rest of a rejected body when the connection closes after the response. If it closed earlier,
 * the client would get a connection error and never read the reason.
 */
async function drainIfClosing(request: ApiRequest): Promise<void> {
  const { complete, httpVersion, headers } = request;
  const connection = headers.connection ?? '';
  const closesConnection = httpVersion === '1.0' ? !/\bkeep-alive\b/i.test(connection) : /\bclose\b/i.test(connection);
  if (complete || !closesConnection) return;
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  await finished(request.resume(), { signal, cleanup: true }).catch(() => undefined);
}

const unsupported = (type: string): ErrorResponse =>
  new ErrorResponse(415, `Unsupported media type "${type}" in request.`);

/** JSON in UTF-8, the only encoding that JSON has. Other parameters of the media type are ignored. */
function isJson(type: string): boolean {
  const [mediaType, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  return (
    mediaType === 'application/json' &&
    parameters.every((part) => !part.startsWith('charset') || /^charset\s*=\s*"?utf-?8"?$/.test(part))
  );
}

function assertUncompressed({ headers }: ApiRequest): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ErrorResponse(415, 'Compressed request bodies are not supported.');
}

/**
 * Whether the caller accepts JSON, or the file type of the route: its errors are JSON in any case. Parameters of a
 * media range, such as `indent=4`, are ignored.
 */
function acceptsResponseType(request: ApiRequest, { produces }: RouteDeclaration): boolean {
  const { accept } = request.headers;
  if (accept === undefined) return true;
  request.headers.accept = accept.replace(/;(?!\s*q\s*=)[^;,]*/gi, '');
  return request.accepts(['application/json', ...(produces ?? [])]) !== false;
}
