import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiQuery, ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';
import { describeParameters } from '#query/describe-parameters.js';
import type { RouteScope } from '#query/route-scope.js';
import type { Projection } from '#query/projection.js';
import type { Precondition } from './preconditions.js';
import { COMMON_RESPONSES, invalidResponse, NOT_FOUND } from './responses.js';
import { documented } from './schemas.js';

/** A part of the path that names an item: an unknown one is a 404 before anything else is wrong. */
export interface PathItem {
  readonly parameter: string;
  readonly projection: Projection;
}

/** What the layers of `http` need to know of a route. */
export interface RouteDeclaration {
  /** Whose query parameters the route takes, and which. */
  readonly projection?: Projection;
  readonly scope?: RouteScope;
  /** Items of the path, outermost first; each exists within the one before. */
  readonly items: readonly PathItem[];
  /** Members that the answer has besides the projection's: a body may bring them back. */
  readonly extraFields?: readonly string[];
  readonly preconditions?: Precondition;
  /** Fields of an item that can't be changed: a body may have them as they are. */
  readonly fixed?: readonly string[];
  /** Whether a PATCH asks for an action, such as to cancel a job. An item that is sent back as it is asks for none. */
  readonly action?: boolean;
  /** Media types of the answer where it is not only JSON. Errors are JSON also there. */
  readonly produces?: readonly string[];
  /** Whether the body is a form with a file, which the handler takes as it comes: an `UploadedForm`. */
  readonly upload?: boolean;
  /** Boolean query parameters of the route itself, each with its description. */
  readonly options?: Readonly<Record<string, string>>;
  /** Query parameters that the handler reads as they come. */
  readonly rawParameters?: readonly string[];
  /** It can't be a part of a composite request. Nor can what answers a file. */
  readonly nonComposable?: boolean;
  /** It may keep the database busy for long, though it is not a list. */
  readonly heavy?: boolean;
  /** Query parameters of the route itself that take one of a closed set. */
  readonly choices?: Readonly<Record<string, RouteChoice>>;
}

/** A query parameter that takes one of a closed set; the first where it is absent. `Chosen` hands it to the handler. */
export interface RouteChoice {
  readonly values: readonly [string, ...string[]];
  readonly description: string;
}

export const ROUTE = Symbol('route');

export interface RouteOptions {
  /** Path below the controller's; by default '' for lists and creation, ':id' for items. */
  readonly path?: string | readonly string[];
  readonly summary: string;
  /** Items in the path before the route's own. */
  readonly within?: readonly PathItem[];
  /** Boolean query parameters of the route itself, each with its description; `Option` hands them to the handler. */
  readonly options?: Readonly<Record<string, string>>;
  /** Of a PATCH: fields that some items can't change. A body may have them as they are. */
  readonly fixed?: readonly string[];
  /** Whether a PATCH asks for an action instead of changes. */
  readonly action?: boolean;
  /** What the route forbids besides `Access`: this comes before anything that is wrong with what is sent. */
  readonly preconditions?: Precondition;
}

const words = (projection: Projection): string => projection.name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** What every route has: its declaration, its documentation, and the errors that any can answer. */
export function route(
  declaration: RouteDeclaration,
  summary: string,
  responses: readonly ApiResponseOptions[],
): MethodDecorator {
  const { projection, scope, items, options = {}, choices = {} } = declaration;
  const parameters = projection && scope ? describeParameters(projection, scope) : [];
  if (projection) documented(projection);
  return applyDecorators(
    SetMetadata(ROUTE, declaration),
    ApiOperation({ summary }),
    ...items.map((item) =>
      ApiParam({
        name: item.parameter,
        description: `Id of the ${words(item.projection)}.`,
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
        ...(parameter.schema.type === 'array' && { style: 'form', explode: parameter.repeatable }),
      }),
    ),
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
    ...[...responses, ...(items.length ? [NOT_FOUND] : []), ...COMMON_RESPONSES].map((response) =>
      ApiResponse(response),
    ),
  );
}

export const json = (status: number, description: string, schema: object): ApiResponseOptions => ({
  status,
  description,
  content: { 'application/json': { schema } },
});

export const invalidParameter = invalidResponse('A query parameter is not valid.', {
  ordering: ['"x" can\'t be sorted by. Allowed: id, title.'],
});
export const invalidBody = invalidResponse('The body or a query parameter is not valid.', {
  title: ['This field is required.'],
});

/** The router wants paths in a list of its own. */
export const pathOf = (options: RouteOptions, otherwise: string): string | string[] =>
  typeof options.path === 'string' ? options.path : options.path ? [...options.path] : otherwise;

/** A route that writes an item of the path, and may answer it. */
export const itemOf = (projection: Projection, options: RouteOptions): RouteDeclaration => ({
  projection,
  scope: 'written',
  items: [
    ...(options.within ?? []),
    ...(/:id\b/.test(String(pathOf(options, ':id'))) ? [{ parameter: 'id', projection }] : []),
  ],
  preconditions: options.preconditions,
  fixed: options.fixed,
  action: options.action,
});
