import { REQUIRED } from '#domain/kernel/fields/field-checks.js';
import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  ApiHeader,
  type ApiHeaderOptions,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  type ApiResponseOptions,
} from '@nestjs/swagger';
import { describeParameters } from '#query/describe-parameters.js';
import type { RouteScope } from '#query/route-scope.js';
import type { Projection } from '#query/projection.js';
import { IDEMPOTENCY_HOURS, MAX_IDEMPOTENCY_KEY_LENGTH } from '#domain/access/idempotency/idempotency-key.commands.js';
import type { Precondition } from './preconditions.js';
import { COMMON_RESPONSES, errorResponseOf, invalidResponse, NOT_FOUND } from './responses.js';

/** A path parameter that names an item. An unknown item is a 404, which takes precedence over other errors. */
export interface PathItem {
  readonly parameter: string;
  readonly projection: Projection;
}

/** Everything that the layers of `http` need to know about a route. */
export interface RouteDeclaration {
  /** The projection whose query parameters the route accepts. */
  readonly projection?: Projection;
  readonly scope?: RouteScope;
  /** Items of the path, outermost first; each exists within the one before. */
  readonly items: readonly PathItem[];
  /** Fields that the response has in addition to the projection's: clients may send them back. */
  readonly extraFields?: readonly string[];
  readonly preconditions?: Precondition;
  /** Fields of an item that can't be changed: a body may contain their current values. */
  readonly fixedFields?: readonly string[];
  /** Whether a PATCH requests an action, such as cancelling a job. An unchanged item requests none. */
  readonly action?: boolean;
  /** Whether it changes the last item of the path, so that `If-Match` applies to that item. */
  readonly changesItem?: boolean;
  /** Whether the handler applies `If-Match` itself, by `UnlessChanged`. */
  readonly checksFirst?: boolean;
  /** Media types of the response, unless it is only JSON. Errors are always JSON. */
  readonly produces?: readonly string[];
  /** Whether the response is CSV if the client prefers that to JSON. */
  readonly csv?: boolean;
  /** Whether the body is a form with a file, which the handler reads itself as an `UploadedForm`. */
  readonly upload?: boolean;
  /** Boolean query parameters of the route itself, each with its description. */
  readonly options?: Readonly<Record<string, string>>;
  /** Query parameters that the handler parses itself. */
  readonly handlerParameters?: readonly string[];
  /** The route can't be a sub-request. Routes with files can't be one either. */
  readonly nonComposable?: boolean;
  /** A POST that accepts an `Idempotency-Key`: it runs in one transaction, and its response is JSON. */
  readonly keyed?: boolean;
  /** The route may keep the database busy for long, though it is not a list. */
  readonly heavy?: boolean;
  /** Query parameters of the route itself that accept one of a fixed set of values. */
  readonly choices?: Readonly<Record<string, RouteChoice>>;
}

/**
 * A query parameter that accepts one of a fixed set of values; the default is the first. The handler receives it by
 * `Chosen`.
 */
export interface RouteChoice {
  readonly values: readonly [string, ...string[]];
  readonly description: string;
}

export const RouteMetadata = Reflector.createDecorator<RouteDeclaration | undefined>();

export interface RouteOptions {
  /** Path below the controller's; by default '' for lists and creation, ':id' for items. */
  readonly path?: string | readonly string[];
  readonly summary: string;
  /** Items in the path before the route's own. */
  readonly within?: readonly PathItem[];
  /** Boolean query parameters of the route itself, with descriptions; the handler receives them by `Option`. */
  readonly options?: Readonly<Record<string, string>>;
  /** For a PATCH: fields that some items can't change. A body may contain their current values. */
  readonly fixed?: readonly string[];
  /** Whether a PATCH requests an action instead of changes. */
  readonly action?: boolean;
  /**
   * Whether a change asks another system first. No transaction waits for that: the handler changes the item by
   * `UnlessChanged`.
   */
  readonly checksFirst?: boolean;
  /** What the route forbids besides `Access`. These errors take precedence over errors in the request. */
  readonly preconditions?: Precondition;
}

/** `ProjectDiagram` → `project diagram`. */
export const nounOf = (projection: Projection): string =>
  projection.name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

const IDEMPOTENCY_KEY: ApiHeaderOptions = {
  name: 'Idempotency-Key',
  required: false,
  description:
    'A new random text for each change. If you repeat the request with the same key and body, for example after a ' +
    `timeout, you get the first response again, for ${IDEMPOTENCY_HOURS} hours.`,
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
};

const KEY_USED = errorResponseOf(
  409,
  'The `Idempotency-Key` was used for another body.',
  'This Idempotency-Key was used for another request. Use a new key.',
);

/** The decorators of every route: its declaration, its documentation, and the errors that any route can return. */
export function route(
  declaration: RouteDeclaration,
  summary: string,
  responses: readonly ApiResponseOptions[],
): MethodDecorator {
  const { projection, scope, items, options = {}, choices = {} } = declaration;
  const parameters = projection && scope ? describeParameters(projection, scope) : [];
  const ownResponses = [...responses, ...(declaration.keyed ? [KEY_USED] : []), ...(items.length ? [NOT_FOUND] : [])];
  const ownStatuses = new Set(ownResponses.map(({ status }) => status));
  const commonResponses = COMMON_RESPONSES.filter(({ status }) => !ownStatuses.has(status));
  return applyDecorators(
    RouteMetadata(declaration),
    ApiOperation({ summary }),
    ...items.map((item) =>
      ApiParam({
        name: item.parameter,
        description: `Id of the ${nounOf(item.projection)}.`,
        schema: item.projection.key.numeric
          ? { type: 'integer' }
          : { type: 'string', pattern: item.projection.key.shape.source },
      }),
    ),
    ...parameters.map((parameter) =>
      ApiQuery({
        name: parameter.name,
        required: parameter.required,
        description: parameter.description,
        schema: parameter.schema as object,
        ...(parameter.schema.type === 'array' && { style: 'form', explode: true }),
      }),
    ),
    ...(declaration.keyed ? [ApiHeader(IDEMPOTENCY_KEY)] : []),
    ...Object.entries(options).map(([name, description]) =>
      ApiQuery({ name, required: false, description, schema: { type: 'boolean', default: false } }),
    ),
    ...Object.entries(choices).map(([name, { values, description }]) =>
      ApiQuery({
        name,
        required: false,
        description,
        schema: { type: 'string', enum: [...values], default: values[0] },
      }),
    ),
    ...[...ownResponses, ...commonResponses].map((response) => ApiResponse(response)),
  );
}

export const json = (status: number, description: string, schema: object): ApiResponseOptions => ({
  status,
  description,
  content: { 'application/json': { schema } },
});

export const invalidParameter = invalidResponse('A query parameter is not valid.', {
  ordering: ['Cannot sort by "x". Allowed: id, title.'],
});
export const invalidBody = invalidResponse('The body or a query parameter is not valid.', {
  title: [REQUIRED],
});

/** The router requires a separate copy of a list of paths. */
export const pathOf = (options: RouteOptions, otherwise: string): string | string[] =>
  typeof options.path === 'string' ? options.path : options.path ? [...options.path] : otherwise;

/** The declaration of a route that writes an item of the path. */
export const itemOf = (projection: Projection, options: RouteOptions): RouteDeclaration => ({
  projection,
  scope: 'written',
  items: [
    ...(options.within ?? []),
    ...(/:id\b/.test(String(pathOf(options, ':id'))) ? [{ parameter: 'id', projection }] : []),
  ],
  preconditions: options.preconditions,
  fixedFields: options.fixed,
  action: options.action,
});
