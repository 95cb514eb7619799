import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Logger } from 'pino';
import type { Actor } from '#domain/kernel/actor.js';
import type { ParsedQuery } from '#query/parameters.js';
import type { Projection } from '#query/projection.js';
import type { Scope } from '#query/query-context.js';

/** A request on its way through the layers of `http`, each of which adds what it found. */
export interface ApiRequest extends Request {
  id: string;
  log: Logger;
  /** `Prefer: handling=strict`: what is otherwise ignored is refused. */
  strict: boolean;
  /** Scheme and host that the service is reached by. */
  origin: string;
  /** Who calls; absent on public routes. */
  actor?: Actor;
  /** The id of the token that was used; none with Basic. */
  tokenId?: number | undefined;
  /** The route checks the caller's role in the project of its path, and the caller cannot see that project. */
  projectUnseen?: boolean;
  /** What a route on a projection reads, for whom, and its checked query parameters. */
  projection?: Projection;
  viewer?: Scope;
  view?: ParsedQuery;
  /** Boolean query parameters of the route itself that are true. */
  options?: ReadonlySet<string>;
  /**
   * Set where another request makes this one in-process: an unexpected error is left here for it, and whether
   * the answer can hold a secret.
   */
  part?: { failure?: unknown; secret?: boolean };
  /** Query parameters of the route itself that take one of a closed set. */
  chosen?: ReadonlyMap<string, string>;
}

export const requestOf = (context: ExecutionContext): ApiRequest => context.switchToHttp().getRequest<ApiRequest>();

/** Parameter decorator: who calls. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const { actor } = requestOf(context);
  if (!actor) throw new Error('A public route has no caller.');
  return actor;
});

/** Parameter decorator: the id of the token by which the caller is authenticated; undefined with a password. */
export const CallerToken = createParamDecorator(
  (_: unknown, context: ExecutionContext): number | undefined => requestOf(context).tokenId,
);

/** Parameter decorator: whether a boolean query parameter of the route itself is true. */
export const Option = createParamDecorator(
  (name: string, context: ExecutionContext): boolean => requestOf(context).options?.has(name) ?? false,
);

/** Parameter decorator: the value of a query parameter of the route itself that takes one of a closed set. */
export const Chosen = createParamDecorator((name: string, context: ExecutionContext): string => {
  const value = requestOf(context).chosen?.get(name);
  if (value === undefined) throw new Error(`The route has no parameter "${name}".`);
  return value;
});
