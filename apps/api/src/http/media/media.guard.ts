import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { Settings } from '#platform/injected.js';
import { fieldNames } from '#query/projection.js';
import { ErrorResponse } from '../errors/error-response.js';
import { MULTIPART, UploadedForm } from '../files/upload.js';
import { type ApiRequest, requestOf } from '../request.js';
import { type RouteDeclaration, RouteMetadata } from '../routes/route.decorators.js';
import { BodyContent } from './body-content.js';
import { announcesBody, BodyReader } from './body-reader.service.js';
import { drainIfClosing } from './drain.js';
import { CSV, JSON_TYPE } from '../media-types.js';

/**
 * Runs after the access guard: checks that the requested format is available (406) and that the body can be read (415,
 * 413). Then a project that the caller can't see is a 404, before the body is parsed.
 */
@Injectable()
export class MediaGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
    private readonly bodies: BodyReader,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const route = this.reflector.get(RouteMetadata, context.getHandler());
    if (!route) return true;
    const type = responseTypeOf(request, route);
    if (type === false) throw new ErrorResponse(406, 'Could not satisfy the request Accept header.');
    request.isCsv = type === CSV;
    if (route.csv) context.switchToHttp().getResponse<Response>().vary('Accept');
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
    const bytes = await this.bodies.read(request);
    request.bodyBytes = bytes instanceof Buffer ? bytes.length : 0;
    return new BodyContent(bytes, strict, tolerated, actor?.flags ?? new Set(), ignored);
  }

  /** Throws errors that follow from the headers alone: a 415, or a 413 if the announced length exceeds the limit. */
  private checkHeaders(request: ApiRequest): void {
    if (!announcesBody(request)) return;
    const type = request.headers['content-type'] ?? '';
    if (!isJson(type)) throw unsupported(type);
    assertUncompressed(request);
    this.bodies.assertAnnouncedSize(request);
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
 * What the caller prefers of JSON, CSV if the route has it and the caller names it, and the file type of the route;
 * false if they accept none. Errors are JSON in any case. Parameters of a media range, such as `indent=4`, are ignored.
 * A range such as `text/*` does not ask for CSV: clients that send it expect a text for people.
 */
function responseTypeOf(request: ApiRequest, { produces = [], csv = false }: RouteDeclaration): string | false {
  const { accept } = request.headers;
  if (accept === undefined) return JSON_TYPE;
  request.headers.accept = accept.replace(/;(?!\s*q\s*=)[^;,]*/gi, '');
  const hasCsv = csv && request.headers.accept.toLowerCase().includes(CSV);
  const type = request.accepts([JSON_TYPE, ...(hasCsv ? [CSV] : []), ...produces]);
  return typeof type === 'string' ? type : false;
}
