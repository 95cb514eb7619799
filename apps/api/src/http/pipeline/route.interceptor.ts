import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { EntityManager } from '@mikro-orm/postgresql';
import type { Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import type { Actor } from '#domain/kernel/actor.js';
import { Invalid, NotFound } from '#domain/kernel/domain-errors.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';
import { InvalidPage, InvalidParameters } from '#query/errors.js';
import { parseOptions, parseQuery, type QueryParameters } from '#query/parameters.js';
import type { Scope } from '#query/query-context.js';
import { fieldsOf } from '../body/body-of.js';
import { InvalidBody, withMissingReferences } from '../body/invalid-body.js';
import { SecretResponses, sendUncompressed } from '../compression.js';
import { BodyContent } from '../media/body-content.js';
import { ErrorResponse } from '../errors/error-response.js';
import type { JsonText } from '../listing/responses.js';
import { within } from '../listing/read-request.js';
import { Reads } from '../listing/reads.service.js';
import { type ApiRequest, requestOf } from '../request.js';
import { RequestSlots } from '../shares/request-slots.js';
import { ConditionalChanges } from './conditional-changes.service.js';
import { ResponsePresenter } from './response-presenter.js';
import { assertStorableTexts } from './assert-storable-texts.js';
import { IdempotentRequests } from './idempotent-requests.service.js';
import { headerOfNames, IGNORED_PARAMETERS } from './ignored-parameters.js';
import { type RouteDeclaration, RouteMetadata } from '../routes/route.decorators.js';

/** Metadata key for the types of a method's parameters, emitted by the compiler. */
const PARAMETER_TYPES = 'design:paramtypes';

/** Whether a handler has a parameter for the body: a class with fields, or the raw content. */
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

/** The caller, within the items of the path that enclose the route's own. */
function scopeOf({ items, projection, scope }: RouteDeclaration, actor: Actor, params: ApiRequest['params']): Scope {
  const targetsLastItem = scope !== 'list' && items.at(-1)?.projection === projection;
  const parents = targetsLastItem ? items.slice(0, -1) : items;
  return within(actor, ...parents.map(({ parameter }) => String(params[parameter])));
}

/** Sends a response with a secret uncompressed, and also the composite response that it is part of. */
function keepSecret(request: ApiRequest, response: Response): void {
  sendUncompressed(response);
  if (request.subRequest) request.subRequest.secret = true;
}

/** Validates query parameters before the body, reports unknown ids before both, and sends the response. */
@Injectable()
export class RouteInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly reads: Reads,
    private readonly em: EntityManager,
    private readonly presenter: ResponsePresenter,
    private readonly slots: RequestSlots,
    private readonly changes: ConditionalChanges,
    private readonly idempotent: IdempotentRequests,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const route = this.reflector.get(RouteMetadata, context.getHandler());
    if (!route) return next.handle();
    const request = requestOf(context);
    const response = context.switchToHttp().getResponse<Response>();
    if (this.reflector.getAllAndOverride(SecretResponses, [context.getHandler(), context.getClass()]))
      keepSecret(request, response);
    const release = await this.slots.acquire(request, route);
    request.releaseSlot = release;
    try {
      // A list without matches is empty; only the items around it can be unknown.
      if (route.scope === 'list' && request.actor && !(await this.seesPathItems(route, request, request.actor)))
        throw new NotFound();
      this.checkParameters(route, request);
      if (request.body instanceof BodyContent && !takesBody(context)) request.body.assertNoFields();
      if (request.body instanceof BodyContent) {
        const current = await this.itemSentBack(request.body, route, request);
        const item = current && (JSON.parse(current.text) as Record<string, unknown>);
        if (item && route.action) {
          if (request.body.isItem(item)) return of(await this.present(current, request, response));
        } else if (item) request.body = request.body.withoutUnchanged(item, route.fixedFields) ?? request.body;
      }
      const run = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
      const result = await this.idempotent.run(route, request, response, () => this.unlessChanged(route, request, run));
      return of(await this.present(result, request, response));
    } catch (error) {
      throw await this.highestPrecedenceError(error, route, request);
    } finally {
      release();
    }
  }

  /** Runs a handler; a PATCH or DELETE with `If-Match` only if the item has not changed since its caller read it. */
  private unlessChanged(
    { items, changesItem, checksFirst, projection: declared }: RouteDeclaration,
    request: ApiRequest,
    run: () => Promise<unknown>,
  ): Promise<unknown> {
    const { actor, params, origin, subRequest } = request;
    const ifMatch = request.get('if-match');
    const item = items.at(-1);
    const projection = item?.projection ?? declared;
    if (ifMatch === undefined || !changesItem || !actor || !projection || subRequest) return run();
    const parents = items.slice(0, -1).map(({ parameter }) => String(params[parameter]));
    // Without an id in its path, it is the only item of the organization.
    const id = String(item ? params[item.parameter] : actor.organizationId);
    const changed = { id, projection, scope: within(actor, ...parents), origin };
    if (!checksFirst) return this.changes.run(actor, changed, ifMatch, run);
    request.unlessChanged = (change) => this.changes.run(actor, changed, ifMatch, change);
    return run();
  }

  private present(result: unknown, request: ApiRequest, response: Response): Promise<unknown> {
    if (request.ignored.size) response.set(IGNORED_PARAMETERS, headerOfNames(request.ignored));
    return this.presenter.present(result, request, response);
  }

  /**
   * The current item of a PATCH, as a GET without parameters shows it, if the body may contain fields of it. Clients
   * may send back everything that they read, even fields that can't be changed.
   */
  private async itemSentBack(
    body: BodyContent,
    route: RouteDeclaration,
    request: ApiRequest,
  ): Promise<JsonText | undefined> {
    const { projection, scope: kind, items, fixedFields = [] } = route;
    const { scope, method, params, origin } = request;
    if (method !== 'PATCH' || kind !== 'written' || items.at(-1)?.projection !== projection) return undefined;
    if (!projection || !scope || !body.mayContainField('id', ...fixedFields)) return undefined;
    try {
      return await this.reads.plainItem(String(params.id), { projection, scope, origin });
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  private checkParameters(route: RouteDeclaration, request: ApiRequest): void {
    assertStorableTexts(request.originalUrl);
    const { projection, scope, options = {}, choices = {}, handlerParameters = [] } = route;
    const validatedParameters = Object.entries(request.query as QueryParameters).filter(
      ([name]) => !handlerParameters.includes(name),
    );
    const query: QueryParameters = Object.fromEntries(validatedParameters);
    if (projection && scope) {
      request.parsedQuery = parseQuery(projection, scope, query, request.strict, request.ignored);
      request.projection = projection;
      if (request.actor) request.scope = scopeOf(route, request.actor, request.params);
    } else {
      const { strict, ignored } = request;
      Object.assign(request, parseOptions(Object.keys(options), choices, query, strict, ignored));
    }
  }

  /**
   * Returns the error that takes precedence. Input is validated without a query for the items in the path. Only if that
   * fails are they looked up, so that an unknown id, or an item that forbids the operation, is reported first, and so
   * that an invalid body also reports references that do not exist.
   */
  private async highestPrecedenceError(error: unknown, route: RouteDeclaration, request: ApiRequest): Promise<unknown> {
    const isInputError =
      error instanceof Invalid ||
      error instanceof InvalidParameters ||
      error instanceof InvalidPage ||
      (error instanceof ErrorResponse && (error.status === 400 || error.status === 413));
    if (!isInputError || !request.actor) return error;
    if (!(await this.seesPathItems(route, request, request.actor))) return new NotFound();
    const em = forkInTransaction(this.em);
    const body = error instanceof InvalidBody ? error.body : {};
    await route.preconditions?.(em, request.actor, String(request.params.id), body);
    return error instanceof InvalidBody ? withMissingReferences(error, em, request.actor) : error;
  }

  /** Whether the caller sees every item in the path, each within the one before. */
  private async seesPathItems({ items }: RouteDeclaration, request: ApiRequest, actor: Actor): Promise<boolean> {
    let pathScope: Scope = actor;
    for (const { parameter, projection } of items) {
      const id = String(request.params[parameter]);
      if (!(await this.reads.exists(projection, pathScope, id))) return false;
      pathScope = within(pathScope, id);
    }
    return true;
  }
}
