import { applyDecorators, Delete, Get, HttpCode, Patch, Post, SetMetadata } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  type ApiResponseOptions,
} from '@nestjs/swagger';
import { describeParameters, type Scope } from '#query/parameters.js';
import type { Projection } from '#query/projection.js';
import type { Schema } from '#query/schema.js';
import { MULTIPART } from '../files/upload.js';
import { documented, listSchemaOf, pageSchemaOf, reference, streamSchemaOf } from './schemas.js';
import { BODY_RESPONSES, COMMON_RESPONSES, invalidResponse, NOT_FOUND, problemResponse } from './responses.js';

/** A part of the path that names an item: an unknown one is a 404 before anything else is wrong. */
export interface PathItem {
  readonly parameter: string;
  readonly projection: Projection;
}

/** What the layers of `http` need to know of a route. */
export interface RouteDeclaration {
  /** Whose query parameters the route takes, and which. */
  readonly projection?: Projection;
  readonly scope?: Scope;
  /** Items of the path, outermost first; each exists within the one before. */
  readonly items: readonly PathItem[];
  /** Media types of the answer where it is not only JSON. Errors are JSON also there. */
  readonly produces?: readonly string[];
  /** Whether the body is a form with a file, which the handler takes as it comes: an `Upload`. */
  readonly upload?: boolean;
  /** Boolean query parameters of the route itself, each with its description. */
  readonly options?: Readonly<Record<string, string>>;
  /** Query parameters that the handler reads as they come. */
  readonly taken?: readonly string[];
  /** It can't be a part of a composite request. So is what answers a file. */
  readonly alone?: boolean;
  /** Query parameters of the route itself that take one of a closed set. */
  readonly choices?: Readonly<Record<string, Choice>>;
}

/** A query parameter that takes one of a closed set; the first where it is absent. `Chosen` hands it to the handler. */
export interface Choice {
  readonly values: readonly [string, ...string[]];
  readonly description: string;
}

export const ROUTE = Symbol('route');

interface RouteOptions {
  /** Path below the controller's; by default '' for lists and creation, ':id' for items. */
  readonly path?: string | readonly string[];
  readonly summary: string;
  /** Items in the path before the route's own. */
  readonly within?: readonly PathItem[];
  /** Boolean query parameters of the route itself, each with its description; `Option` hands them to the handler. */
  readonly options?: Readonly<Record<string, string>>;
}

const words = (projection: Projection): string => projection.name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** What every route has: its declaration, its documentation, and the errors that any can answer. */
function route(
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
        required: false,
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

const json = (status: number, description: string, schema: object): ApiResponseOptions => ({
  status,
  description,
  content: { 'application/json': { schema } },
});

const invalidParameter = invalidResponse('A query parameter is not valid.', {
  ordering: ['"x" can\'t be sorted by. Allowed: id, title.'],
});
const invalidBody = invalidResponse('The body or a query parameter is not valid.', {
  title: ['This field is required.'],
});

interface ListOptions extends RouteOptions {
  /** Schemas of members that the answer has beside its rows. */
  readonly beside?: Readonly<Record<string, Schema>>;
  readonly responses?: readonly ApiResponseOptions[];
}

/** What a list answers: a page of a stream, a page, or the whole of it. */
function listAnswerOf(
  projection: Projection,
  beside: ListOptions['beside'],
): { schema: object; answer: string; absent: string } {
  if (projection.stream)
    return { schema: streamSchemaOf(projection), answer: 'A page of the stream.', absent: 'There is no such cursor.' };
  const page = pageSchemaOf(projection, beside);
  const schema = projection.paging ? page : { oneOf: [listSchemaOf(projection, beside), page] };
  return { schema, answer: 'The whole list, or a page of it.', absent: 'There is no such page.' };
}

/** `GET` of a list of a projection's items. */
export function List(projection: Projection, options: ListOptions): MethodDecorator {
  const { schema, answer, absent } = listAnswerOf(projection, options.beside);
  return applyDecorators(
    Get(pathOf(options, '')),
    route({ projection, scope: 'list', items: options.within ?? [] }, options.summary, [
      json(200, answer, schema),
      invalidParameter,
      ...(options.within ? [] : [{ ...NOT_FOUND, description: absent }]),
      ...(options.responses ?? []),
    ]),
  );
}

/** The router wants paths in a list of its own. */
const pathOf = (options: RouteOptions, otherwise: string): string | string[] =>
  typeof options.path === 'string' ? options.path : options.path ? [...options.path] : otherwise;

const itemOf = (projection: Projection, options: RouteOptions): RouteDeclaration => ({
  projection,
  scope: 'item',
  items: [
    ...(options.within ?? []),
    ...(/:id\b/.test(String(pathOf(options, ':id'))) ? [{ parameter: 'id', projection }] : []),
  ],
});

/** `GET` of one item. */
export function Item(projection: Projection, options: RouteOptions): MethodDecorator {
  return applyDecorators(
    Get(pathOf(options, ':id')),
    route(itemOf(projection, options), options.summary, [
      json(200, 'The item.', reference(projection)),
      invalidParameter,
    ]),
  );
}

/** `POST` that makes an item and answers it, with 201 or, where the specification says so, 200; 202: it will be done. */
export function Create(
  projection: Projection,
  options: RouteOptions & { readonly status: 200 | 201 | 202; readonly answer?: object },
): MethodDecorator {
  return applyDecorators(
    Post(pathOf(options, '')),
    HttpCode(options.status),
    route({ projection, scope: 'item', items: options.within ?? [] }, options.summary, [
      json(
        options.status,
        options.status === 202 ? 'The item.' : 'The new item.',
        options.answer ?? reference(projection),
      ),
      invalidBody,
      ...BODY_RESPONSES,
    ]),
  );
}

/** The documentation of a body that is a form with a file. */
const formBody = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): MethodDecorator[] => [
  ApiConsumes(MULTIPART),
  ApiBody({ required: true, schema: { type: 'object', properties, required: [...required] } as object }),
];

const FORM_RESPONSES: readonly ApiResponseOptions[] = [
  problemResponse(413, 'The file is larger than the service takes.', 'The file is larger than 268435456 bytes.'),
  problemResponse(415, 'The body is no form with a file.', 'Unsupported media type "text/plain" in request.'),
];

/** `POST` of a form with a file, which makes an item: 201. */
export function Upload(
  projection: Projection,
  options: RouteOptions & { readonly form: Readonly<Record<string, Schema>>; readonly required: readonly string[] },
): MethodDecorator {
  return applyDecorators(
    Post(pathOf(options, '')),
    HttpCode(201),
    ...formBody(options.form, options.required),
    route({ projection, scope: 'item', items: options.within ?? [], upload: true }, options.summary, [
      json(201, 'The new item.', reference(projection)),
      invalidBody,
      ...FORM_RESPONSES,
    ]),
  );
}

/** `PATCH` of an item; it answers the item. */
export function Change(projection: Projection, options: RouteOptions): MethodDecorator {
  return applyDecorators(
    Patch(pathOf(options, ':id')),
    route(itemOf(projection, options), options.summary, [
      json(200, 'The item.', reference(projection)),
      invalidBody,
      ...BODY_RESPONSES,
    ]),
  );
}

/** `PATCH` of the order of a list; it answers the list. */
export function Reorder(projection: Projection, options: RouteOptions): MethodDecorator {
  return applyDecorators(
    Patch(pathOf(options, 'order')),
    route({ projection, scope: 'list', items: options.within ?? [] }, options.summary, [
      json(200, 'The list in its new order.', listSchemaOf(projection)),
      invalidBody,
      ...BODY_RESPONSES,
    ]),
  );
}

/** `DELETE` of an item: 204 without a body. */
export function Remove(projection: Projection, options: RouteOptions): MethodDecorator {
  const { items } = itemOf(projection, options);
  return applyDecorators(
    Delete(pathOf(options, ':id')),
    HttpCode(204),
    route({ items, ...(options.options && { options: options.options }) }, options.summary, [
      { status: 204, description: 'Deleted.' },
      invalidBody,
      ...BODY_RESPONSES,
    ]),
  );
}

/** `DELETE` that puts an item back to what it was; it answers the item. */
export function Reset(projection: Projection, options: RouteOptions): MethodDecorator {
  return applyDecorators(
    Delete(pathOf(options, ':id')),
    route(itemOf(projection, options), options.summary, [
      json(200, 'The item.', reference(projection)),
      invalidBody,
      ...BODY_RESPONSES,
    ]),
  );
}

/** `GET` of a file that belongs to an item of the path: whole, or the range that was asked for. */
export function Download(
  options: RouteOptions & {
    readonly within: readonly PathItem[];
    readonly produces: string;
    readonly responses?: readonly ApiResponseOptions[];
  },
): MethodDecorator {
  const { produces } = options;
  const content = { [produces]: { schema: { type: 'string', format: 'binary' } } } as const;
  return applyDecorators(
    Get(pathOf(options, '')),
    ApiHeader({ name: 'Range', required: false, description: 'One range of bytes.', schema: { type: 'string' } }),
    route({ items: options.within, produces: [produces] }, options.summary, [
      { status: 200, description: 'The file.', content },
      { status: 206, description: 'The range of it that was asked for.', content },
      { status: 304, description: 'The caller has this file already, by `If-None-Match`.' },
      invalidParameter,
      problemResponse(416, 'It has no such range.', 'The requested range is not satisfiable.'),
      ...(options.responses ?? []),
    ]),
  );
}

interface ActionOptions extends RouteOptions {
  readonly method: 'GET' | 'POST';
  readonly status: 200 | 201 | 202 | 204;
  /** Schema of the answer; none with 204. */
  readonly answer?: object;
  readonly items?: readonly PathItem[];
  readonly responses?: readonly ApiResponseOptions[];
  /** Fields of the form with a file that the body is, instead of JSON; which of them are required. */
  readonly form?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** It can't be a part of a composite request. */
  readonly alone?: boolean;
}

interface RenderOptions extends RouteOptions {
  readonly within: readonly PathItem[];
  readonly choices: Readonly<Record<string, Choice>>;
  /** Schemas of the answer by media type. */
  readonly content: Readonly<Record<string, object>>;
  readonly responses?: readonly ApiResponseOptions[];
}

/** `GET` of something that belongs to an item of the path, made as it is asked for, in one of several forms. */
export function Render({ content, within, choices, ...options }: RenderOptions): MethodDecorator {
  const schemas = Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]));
  return applyDecorators(
    Get(pathOf(options, '')),
    route({ items: within, choices, produces: Object.keys(content) }, options.summary, [
      { status: 200, description: 'Done.', content: schemas },
      invalidParameter,
      ...(options.responses ?? []),
    ]),
  );
}

/** Any other route: an answer of its own shape. */
export function Action(options: ActionOptions): MethodDecorator {
  const success = options.answer
    ? json(options.status, 'Done.', options.answer)
    : { status: options.status, description: 'Done.' };
  return applyDecorators(
    options.method === 'GET' ? Get(pathOf(options, '')) : Post(pathOf(options, '')),
    HttpCode(options.status),
    ...(options.form ? formBody(options.form, options.required ?? []) : []),
    route(
      { items: options.items ?? [], alone: options.alone ?? false, ...(options.form && { upload: true }) },
      options.summary,
      [
        success,
        invalidBody,
        ...(options.method === 'GET' ? [] : options.form ? FORM_RESPONSES : BODY_RESPONSES),
        ...(options.responses ?? []),
      ],
    ),
  );
}
