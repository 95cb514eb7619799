import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { EntityManager } from '@mikro-orm/postgresql';
import type { Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import type { Actor } from '#domain/kernel/actor.js';
import { Invalid, NotFound } from '#domain/kernel/domain-errors.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';
import { InvalidPage, InvalidParameters } from '#query/errors.js';
import { parseOptions, parseQuery, defaultItemQuery, type QueryParameters } from '#query/parameters.js';
import type { Scope } from '#query/query-context.js';
import { fieldsOf } from '../body/body-of.js';
import { InvalidBody, withMissingReferences } from '../body/invalid-body.js';
import { SECRET_ANSWERS, sendUncompressed } from '../compression.js';
import { BodyContent } from '../media/body-content.js';
import { ErrorResponse } from '../errors/error-response.js';
import { within } from '../listing/read-request.js';
import { Reads } from '../listing/reads.service.js';
import { type ApiRequest, requestOf } from '../request.js';
import { RequestPlaces } from '../shares/request-places.js';
import { AnswerPresenter } from './answer-presenter.js';
import { assertStorableTexts } from './assert-storable-texts.js';
import { ROUTE, type RouteDeclaration } from './route.decorators.js';

/** Under which the compiler notes the types of a method's parameters. */
const PARAMETER_TYPES = 'design:paramtypes';

/** Whether a handler has a parameter for the body: an instance of a class with fields, or the content itself. */
function takesBody(context: ExecutionContext): boolean {
  const prototype = context.getClass().prototype as object;
  const types: unknown = Reflect.getMetadata(PARAMETER_TYPES, prototype, context.getHandler().name);
  return (
    Array.isArray(types) &&
    types.some((type: unknown) => type === BodyContent || (typeof type === 'function' && isBodyClass(type)))
  );
}

const isBodyClass = ({ prototype }: { readonly prototype: unknown }): boolean =>
  typeof prototype === 'object' && prototype !== null && fieldsOf(prototype).size > 0;

/** The caller, within the items that the path names before the one that the route is about. */
function viewerOf({ items, projection, scope }: RouteDeclaration, actor: Actor, params: ApiRequest['params']): Scope {
  const isAboutLast = scope !== 'list' && items.at(-1)?.projection === projection;
  const parents = isAboutLast ? items.slice(0, -1) : items;
  return within(actor, ...parents.map(({ parameter }) => String(params[parameter])));
}

/** Sends an answer with a secret uncompressed, and the composite answer that it is a part of. */
function keepSecret(request: ApiRequest, response: Response): void {
  sendUncompressed(response);
  if (request.part) request.part.secret = true;
}

/** Query parameters before the body, unknown ids before both, and JSON text and files to the client as they are. */
@Injectable()
export class RouteInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly reads: Reads,
    private readonly em: EntityManager,
    private readonly presenter: AnswerPresenter,
    private readonly places: RequestPlaces,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const route = this.reflector.get<RouteDeclaration | undefined>(ROUTE, context.getHandler());
    if (!route) return next.handle();
    const request = requestOf(context);
    const response = context.switchToHttp().getResponse<Response>();
    if (
      this.reflector.getAllAndOverride<boolean | undefined>(SECRET_ANSWERS, [context.getHandler(), context.getClass()])
    )
      keepSecret(request, response);
    const release = await this.places.take(request, route);
    try {
      // A list is empty where nothing is found; only the item around it can be unknown.
      if (route.scope === 'list' && request.actor && !(await this.knowsPath(route, request, request.actor)))
        throw new NotFound();
      this.checkParameters(route, request);
      if (request.body instanceof BodyContent && !takesBody(context)) request.body.refuseFields();
      if (request.body instanceof BodyContent) request.body = await this.changesIn(request.body, route, request);
      const answer: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      return of(await this.presenter.present(answer, request, response));
    } catch (error) {
      throw await this.firstOf(error, route, request);
    } finally {
      release();
    }
  }

  /**
   * The body of a PATCH without the fields that ask for no change, since the item has them already: clients may send
   * back what they read, also what they can't change.
   */
  private async changesIn(body: BodyContent, route: RouteDeclaration, request: ApiRequest): Promise<BodyContent> {
    const { projection, scope, items, fixed = [] } = route;
    const { viewer, method, params, origin } = request;
    if (method !== 'PATCH' || scope !== 'written' || items.at(-1)?.projection !== projection) return body;
    if (!projection || !viewer || !body.mayName('id', ...fixed)) return body;
    try {
      const readRequest = { projection, viewer, view: defaultItemQuery(), origin, urlWith: () => '' };
      const { text } = await this.reads.item(String(params.id), readRequest);
      return body.without(JSON.parse(text) as Record<string, unknown>, fixed) ?? body;
    } catch (error) {
      if (error instanceof NotFound) return body;
      throw error;
    }
  }

  private checkParameters(route: RouteDeclaration, request: ApiRequest): void {
    assertStorableTexts(request.originalUrl);
    const { projection, scope, options = {}, choices = {}, taken = [] } = route;
    const given = Object.entries(request.query as QueryParameters).filter(([name]) => !taken.includes(name));
    const query: QueryParameters = Object.fromEntries(given);
    if (projection && scope) {
      request.view = parseQuery(projection, scope, query, request.strict);
      request.projection = projection;
      if (request.actor) request.viewer = viewerOf(route, request.actor, request.params);
    } else Object.assign(request, parseOptions(Object.keys(options), choices, query, request.strict));
  }

  /**
   * Checks of input run without asking the database what the path names; only where they refuse is it asked, so that
   * an unknown id, and an item that forbids it, still come first, and so that a refused body also names references that
   * do not exist.
   */
  private async firstOf(error: unknown, route: RouteDeclaration, request: ApiRequest): Promise<unknown> {
    const refusesInput =
      error instanceof Invalid ||
      error instanceof InvalidParameters ||
      error instanceof InvalidPage ||
      (error instanceof ErrorResponse && (error.status === 400 || error.status === 413));
    if (!refusesInput || !request.actor) return error;
    if (!(await this.knowsPath(route, request, request.actor))) return new NotFound();
    const em = forkInTransaction(this.em);
    const body = error instanceof InvalidBody ? error.body : {};
    await route.preconditions?.(em, request.actor, String(request.params.id), body);
    return error instanceof InvalidBody ? withMissingReferences(error, em, request.actor) : error;
  }

  /** Whether the caller sees every item that the path names, each within the one before. */
  private async knowsPath({ items }: RouteDeclaration, request: ApiRequest, actor: Actor): Promise<boolean> {
    let viewer: Scope = actor;
    for (const { parameter, projection } of items) {
      const id = String(request.params[parameter]);
      if (!(await this.reads.exists(projection, viewer, id))) return false;
      viewer = within(viewer, id);
    }
    return true;
  }
}
