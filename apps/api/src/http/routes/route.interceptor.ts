import { Readable } from 'node:stream';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { EntityManager } from '@mikro-orm/postgresql';
import type { Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import type { Actor } from '#domain/actor.js';
import { Invalid, NotFound } from '#domain/refusal.js';
import { sessionOf } from '#domain/transaction.js';
import { InvalidPage, InvalidParameters } from '#query/errors.js';
import { parseOptions, parseView, type QueryParameters } from '#query/parameters.js';
import type { Viewer } from '#query/reading.js';
import { Settings } from '../../settings.js';
import { InvalidBody, withMissingReferences } from '../body/invalid-body.js';
import { BodyContent } from '../media/body-content.js';
import { Problem } from '../errors/problem.js';
import { FileAnswer } from '../files/file-answer.js';
import { attachment } from '../files/attachment.js';
import { FILE_SECURITY } from '../media/file-security.js';
import { presentFile } from '../files/present-file.js';
import { JsonStream, JsonText, Rendered } from '../listing/answer.js';
import { within } from '../listing/asked.js';
import { Reads } from '../listing/reads.service.js';
import { type ApiRequest, requestOf } from '../request.js';
import { demandTexts } from './demand-texts.js';
import { ROUTE, type RouteDeclaration } from './route.decorators.js';

/** Where the framework notes what a handler's parameters are; a key begins with the kind, and 3 is the body. */
const HANDLER_PARAMETERS = '__routeArguments__';

function takesBody(context: ExecutionContext): boolean {
  const parameters: unknown = Reflect.getMetadata(HANDLER_PARAMETERS, context.getClass(), context.getHandler().name);
  return Object.keys(parameters ?? {}).some((key) => key.startsWith('3:'));
}

/** Query parameters before the body, unknown ids before both, and JSON text and files to the client as they are. */
@Injectable()
export class RouteInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly reads: Reads,
    private readonly em: EntityManager,
    private readonly settings: Settings,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const route = this.reflector.get<RouteDeclaration | undefined>(ROUTE, context.getHandler());
    if (!route) return next.handle();
    const request = requestOf(context);
    try {
      // A list is empty where nothing is found; only the item around it can be unknown.
      if (route.scope === 'list' && request.actor && !(await this.knowsPath(route, request, request.actor)))
        throw new NotFound();
      this.checkParameters(route, request);
      if (request.body instanceof BodyContent && !takesBody(context)) request.body.refuseFields();
      const answer: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      return of(await this.present(answer, request, context.switchToHttp().getResponse<Response>()));
    } catch (error) {
      throw await this.firstOf(error, route, request);
    }
  }

  private checkParameters(route: RouteDeclaration, request: ApiRequest): void {
    demandTexts(request.originalUrl);
    const { projection, scope, options = {}, choices = {}, taken = [] } = route;
    const given = Object.entries(request.query as QueryParameters).filter(([name]) => !taken.includes(name));
    const query: QueryParameters = Object.fromEntries(given);
    if (projection && scope) request.view = parseView(projection, scope, query, request.strict);
    else Object.assign(request, parseOptions(Object.keys(options), choices, query, request.strict));
  }

  /**
   * Checks of input run without asking the database what the path names; only where they refuse is it asked, so that
   * an unknown id, and an item that forbids it, still come first, and so that a refused body also names references that do not exist.
   */
  private async firstOf(error: unknown, route: RouteDeclaration, request: ApiRequest): Promise<unknown> {
    const refusesInput =
      error instanceof Invalid ||
      error instanceof InvalidParameters ||
      error instanceof InvalidPage ||
      (error instanceof Problem && (error.status === 400 || error.status === 413));
    if (!refusesInput || !request.actor) return error;
    if (!(await this.knowsPath(route, request, request.actor))) return new NotFound();
    const em = sessionOf(this.em);
    const body = error instanceof InvalidBody ? error.body : {};
    await route.forbids?.(em, request.actor, String(request.params.id), body);
    return error instanceof InvalidBody ? withMissingReferences(error, em, request.actor) : error;
  }

  /** Whether the caller sees every item that the path names, each within the one before. */
  private async knowsPath({ items }: RouteDeclaration, request: ApiRequest, actor: Actor): Promise<boolean> {
    let viewer: Viewer = actor;
    for (const { parameter, projection } of items) {
      const id = String(request.params[parameter]);
      if (!(await this.reads.exists(projection, viewer, id))) return false;
      viewer = within(viewer, id);
    }
    return true;
  }

  private async present(answer: unknown, request: ApiRequest, response: Response): Promise<unknown> {
    if (answer instanceof JsonText) {
      response.type('application/json');
      return answer.text;
    }
    if (answer instanceof FileAnswer)
      return presentFile(answer, request, response, this.settings.streamStallSeconds * 1000);
    if (answer instanceof Rendered) {
      const stream = await this.streamed(answer.pieces, response);
      response.set({ 'Content-Type': answer.type, ...FILE_SECURITY });
      if (answer.name !== undefined) response.set('Content-Disposition', attachment(answer.name));
      return stream;
    }
    if (!(answer instanceof JsonStream)) return answer;
    const stream = await this.streamed(answer.pieces, response);
    response.type('application/json');
    return stream;
  }

  /** An answer in pieces. What fails before the first of them is thrown, before any header is set; later the connection breaks off. */
  private async streamed(pieces: AsyncIterable<string | Uint8Array>, response: Response): Promise<StreamableFile> {
    const stream = Readable.from(await begun(this.cutOffWhereStalled(pieces, response)), { objectMode: false });
    // Who is gone by now reads nothing: what the pieces hold is given back.
    if (response.closed) stream.destroy();
    else response.once('close', () => stream.destroy());
    return new StreamableFile(stream);
  }

  /** A reader who takes nothing for too long gives its place, and its database connection, to others. */
  private async *cutOffWhereStalled<Piece>(
    pieces: AsyncIterable<Piece>,
    response: Response,
  ): AsyncGenerator<Piece, void, undefined> {
    const patience = this.settings.streamStallSeconds * 1000;
    for await (const piece of pieces) {
      const stalled = setTimeout(() => response.destroy(), patience);
      try {
        yield piece;
      } finally {
        clearTimeout(stalled);
      }
    }
  }
}

/** The same pieces, once the first of them is there. */
async function begun<Piece>(pieces: AsyncGenerator<Piece, void, undefined>): Promise<AsyncIterable<Piece>> {
  let first: IteratorResult<Piece, void> | undefined = await pieces.next();
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const piece = first ?? (await pieces.next());
        first = undefined;
        return piece;
      },
      return: () => pieces.return(),
    }),
  };
}
