import { applyDecorators, Get, HttpCode, Patch, Post } from '@nestjs/common';
import type { ApiResponseOptions } from '@nestjs/swagger';
import type { Schema } from '#query/schema.js';
import {
  invalidBody,
  invalidParameter,
  json,
  type PathItem,
  pathOf,
  route,
  type RouteChoice,
  type RouteOptions,
} from './declare-route.js';
import { FORM_RESPONSES, formBody } from './file-routes.js';
import { BODY_RESPONSES } from './responses.js';

interface RenderOptions extends RouteOptions {
  readonly within: readonly PathItem[];
  readonly choices: Readonly<Record<string, RouteChoice>>;
  /** What the response contains. */
  readonly success: string;
  /** Schemas of the response by media type. */
  readonly content: Readonly<Record<string, object>>;
  readonly responses?: readonly ApiResponseOptions[];
}

/** `GET` of something that is rendered on request from an item of the path, in one of several formats. */
export function Render({ content, within, choices, success, ...options }: RenderOptions): MethodDecorator {
  const schemas = Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]));
  return applyDecorators(
    Get(pathOf(options, '')),
    route(
      { items: within, choices, produces: Object.keys(content), preconditions: options.preconditions },
      options.summary,
      [{ status: 200, description: success, content: schemas }, invalidParameter, ...(options.responses ?? [])],
    ),
  );
}

/** `GET` that redirects: 302, with the address in `Location`. */
export function Redirect(options: RouteOptions & { readonly items: readonly PathItem[] }): MethodDecorator {
  return applyDecorators(
    Get(pathOf(options, '')),
    HttpCode(302),
    route({ items: options.items }, options.summary, [
      { status: 302, description: 'The address of the item is in `Location`.' },
      invalidParameter,
    ]),
  );
}

interface ActionOptions extends RouteOptions {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly status: 200 | 201 | 202 | 204;
  /** What a success means. */
  readonly success: string;
  /** Schema of the response; none for a 204. */
  readonly responseSchema?: object;
  readonly items?: readonly PathItem[];
  readonly responses?: readonly ApiResponseOptions[];
  /** Fields of a form with a file, which replaces a JSON body, and the names of the required ones. */
  readonly form?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The route can't be a sub-request. */
  readonly nonComposable?: boolean;
  /** The route accepts an `Idempotency-Key`, although it can't be a sub-request. */
  readonly keyed?: boolean;
}

const METHODS = { GET: Get, POST: Post, PATCH: Patch };

/** Any other route, with a response of its own shape. */
export function Action(options: ActionOptions): MethodDecorator {
  const success = options.responseSchema
    ? json(options.status, options.success, options.responseSchema)
    : { status: options.status, description: options.success };
  return applyDecorators(
    METHODS[options.method](pathOf(options, '')),
    HttpCode(options.status),
    ...(options.form ? formBody(options.form, options.required ?? []) : []),
    route(
      {
        items: options.items ?? [],
        nonComposable: options.nonComposable ?? false,
        keyed: options.keyed ?? (options.method === 'POST' && !options.form && !options.nonComposable),
        preconditions: options.preconditions,
        ...(options.form && { upload: true }),
      },
      options.summary,
      [
        success,
        ...(options.method === 'GET'
          ? [invalidParameter]
          : [invalidBody, ...(options.form ? FORM_RESPONSES : BODY_RESPONSES)]),
        ...(options.responses ?? []),
      ],
    ),
  );
}
