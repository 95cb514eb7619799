import { applyDecorators, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, type ApiResponseOptions } from '@nestjs/swagger';
import type { Projection } from '#query/projection.js';
import type { Schema } from '#query/schema.js';
import { MULTIPART } from '../files/upload.js';
import {
  invalidBody,
  invalidParameter,
  json,
  nounOf,
  type PathItem,
  pathOf,
  route,
  type RouteOptions,
} from './declare-route.js';
import { errorResponseOf } from './responses.js';
import { reference } from './schemas.js';

/** The documentation of a body that is a form with a file. */
export const formBody = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): MethodDecorator[] => [
  ApiConsumes(MULTIPART),
  ApiBody({ required: true, schema: { type: 'object', properties, required: [...required] } as object }),
];

export const FORM_RESPONSES: readonly ApiResponseOptions[] = [
  errorResponseOf(413, 'The file is larger than the limit.', 'The file is larger than 268435456 bytes.'),
  errorResponseOf(
    507,
    'The service has no room for the file.',
    'The service has no room for the file. Try again later.',
  ),
  errorResponseOf(415, 'The body is not a form with a file.', 'Unsupported media type "text/plain" in request.'),
];

/** `POST` of a form with a file, which creates an item: 201. */
export function Upload(
  projection: Projection,
  options: RouteOptions & { readonly form: Readonly<Record<string, Schema>>; readonly required: readonly string[] },
): MethodDecorator {
  return applyDecorators(
    Post(pathOf(options, '')),
    HttpCode(201),
    ...formBody(options.form, options.required),
    route({ projection, scope: 'written', items: options.within ?? [], upload: true }, options.summary, [
      json(201, `The new ${nounOf(projection)}.`, reference(projection)),
      invalidBody,
      ...FORM_RESPONSES,
    ]),
  );
}

/** `GET` of a file that belongs to an item of the path: all of it, or the requested range. */
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
      { status: 206, description: 'The requested range of the file.', content },
      { status: 304, description: 'The file has not changed, according to `If-None-Match`.' },
      invalidParameter,
      errorResponseOf(416, 'The file does not have this range.', 'The requested range is not satisfiable.'),
      ...(options.responses ?? []),
    ]),
  );
}
