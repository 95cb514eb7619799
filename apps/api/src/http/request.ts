import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Logger } from 'pino';
import type { TokenIds } from '#domain/access/user/principal.js';
import type { Actor } from '#domain/kernel/actor.js';
import type { Release } from '#platform/fair-slots.js';
import type { ParsedQuery } from '#query/parameters.js';
import type { Projection } from '#query/projection.js';
import type { Scope } from '#query/query-context.js';

/**
 * What a sub-request needs to know about its composite request. It returns an unexpected error to it, and whether the
 * response may contain a secret.
 */
export interface SubRequestState {
  /** Aborted when the composite request is interrupted. */
  readonly signal: AbortSignal;
  /** Whether it takes a slot of its own; otherwise, it shares the slot of the composite request. */
  readonly takesSlot: boolean;
  failure?: unknown;
  secret?: boolean;
}

/** Makes a change, if the item of the path is still as its caller has seen it. */
export type UnlessChanged = <T>(change: () => Promise<T>) => Promise<T>;

/** A request on its way through the layers of `http`, each of which adds its results. */
export interface ApiRequest extends Request {
  id: string;
  log: Logger;
  /** `Prefer: handling=strict`: parameters and fields that are otherwise ignored are rejected. */
  strict: boolean;
  /** Names in the query and the body that are ignored, because the request is not strict. */
  ignored: Set<string>;
  /** Scheme and host of the service. */
  origin: string;
  /** The number of bytes of the JSON body; 0 if they are too many, because then they are not kept. */
  bodyBytes?: number;
  /** The caller; undefined on public routes. */
  actor?: Actor;
  /** The caller's token; undefined with a password or session. */
  token?: TokenIds | undefined;
  /** The route checks the caller's role in the project of its path, and the caller cannot see that project. */
  isProjectHidden?: boolean;
  /** Whether the response to this request for a list is CSV. */
  isCsv?: boolean;
  /** The projection of the route, the scope of the caller, and the validated query parameters. */
  projection?: Projection;
  scope?: Scope;
  parsedQuery?: ParsedQuery;
  /** Boolean query parameters of the route itself that are true. */
  options?: ReadonlySet<string>;
  /** Commits a change only if the item is still as `If-Match` says. Only set if the handler applies that itself. */
  unlessChanged?: UnlessChanged;
  /** Set for a sub-request. */
  subRequest?: SubRequestState;
  /** Releases the request's slot before its response has been created. */
  releaseSlot?: Release;
  /** Query parameters of the route itself that accept one of a fixed set of values. */
  selected?: ReadonlyMap<string, string>;
}

export const requestOf = (context: ExecutionContext): ApiRequest => context.switchToHttp().getRequest<ApiRequest>();

/** Parameter decorator: the caller. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const { actor } = requestOf(context);
  if (!actor) throw new Error('A public route has no caller.');
  return actor;
});

/** Parameter decorator: the caller's token; undefined with a password or session. */
export const CallerToken = createParamDecorator(
  (_: unknown, context: ExecutionContext): TokenIds | undefined => requestOf(context).token,
);

/** Parameter decorator of a route with `checksFirst`: how to make the change, after the checks. */
export const UnlessChanged = createParamDecorator(
  (_: unknown, context: ExecutionContext): UnlessChanged => requestOf(context).unlessChanged ?? ((change) => change()),
);

/** Parameter decorator: whether a boolean query parameter of the route itself is true. */
export const Option = createParamDecorator(
  (name: string, context: ExecutionContext): boolean => requestOf(context).options?.has(name) ?? false,
);

/**
 * Parameter decorator: the value of a query parameter of the route itself that accepts one of a fixed set of values.
 */
export const Chosen = createParamDecorator((name: string, context: ExecutionContext): string => {
  const value = requestOf(context).selected?.get(name);
  if (value === undefined) throw new Error(`The route does not have a parameter "${name}".`);
  return value;
});
