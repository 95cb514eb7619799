import { applyDecorators, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import type { ApiResponseOptions } from '@nestjs/swagger';
import type { Projection } from '#query/projection.js';
import type { Schema } from '#query/schema.js';
import {
  invalidBody,
  invalidParameter,
  itemOf,
  json,
  nounOf,
  pathOf,
  route,
  type RouteOptions,
} from './declare-route.js';
import { BODY_RESPONSES, ITEM_HAS_CHANGED, NOT_FOUND, NOT_MODIFIED } from './responses.js';
import { listSchemaOf, reference, streamSchemaOf } from './schemas.js';

// Routes of resources; other kinds are in the files next to this one. Controllers import all of them from here.
export { Action, Redirect, Render } from './action-routes.js';
export { type PathItem, type RouteDeclaration, RouteMetadata } from './declare-route.js';
export { Download, Upload } from './file-routes.js';

interface ListOptions extends RouteOptions {
  /** Schemas of fields that the response has in addition to its rows. */
  readonly extraFields?: Readonly<Record<string, Schema>>;
  readonly responses?: readonly ApiResponseOptions[];
}

/** The response of a list: a page of a stream, a page, or all items. */
function listResponseOf(
  projection: Projection,
  extraFields: ListOptions['extraFields'],
): { schema: object; description: string; absentDescription: string } {
  if (projection.stream)
    return {
      schema: streamSchemaOf(projection),
      description: 'One page of the window, newest first.',
      absentDescription: 'The cursor does not exist.',
    };
  return {
    schema: listSchemaOf(projection, projection.paging ? 'always' : 'on request', extraFields),
    description: projection.paging
      ? `One page of items of the type \`${projection.name}\`.`
      : `Items of the type \`${projection.name}\`: all, or one page with its count and links.`,
    absentDescription: 'The page does not exist.',
  };
}

/** `GET` of a list of a projection's items. */
export function List(projection: Projection, options: ListOptions): MethodDecorator {
  const { schema, description, absentDescription } = listResponseOf(projection, options.extraFields);
  return applyDecorators(
    Get(pathOf(options, '')),
    route({ projection, scope: 'list', items: options.within ?? [], csv: true }, options.summary, [
      // Not as CSV too: clients that are generated from the document would get either form as the type of a list.
      json(200, description, schema),
      invalidParameter,
      ...(options.within ? [] : [{ ...NOT_FOUND, description: absentDescription }]),
      ...(options.responses ?? []),
    ]),
  );
}

/** `GET` of one item. */
export function Item(projection: Projection, options: RouteOptions): MethodDecorator {
  return applyDecorators(
    Get(pathOf(options, ':id')),
    route({ ...itemOf(projection, options), scope: 'item' }, options.summary, [
      json(200, `The requested ${nounOf(projection)}.`, reference(projection)),
      NOT_MODIFIED,
      invalidParameter,
    ]),
  );
}

/**
 * `POST` that creates an item and returns it, with 201 or, if the specification says so, 200; or 202 if it is processed
 * later.
 */
export function Create(
  projection: Projection,
  options: RouteOptions & {
    readonly status: 200 | 201 | 202;
    readonly responseSchema?: object;
    readonly extraFields?: readonly string[];
  },
): MethodDecorator {
  return applyDecorators(
    Post(pathOf(options, '')),
    HttpCode(options.status),
    route(
      {
        projection,
        scope: 'written',
        items: options.within ?? [],
        extraFields: options.extraFields,
        preconditions: options.preconditions,
        keyed: true,
      },
      options.summary,
      [
        json(
          options.status,
          options.status === 202 ? `The ${nounOf(projection)}, to be processed.` : `The new ${nounOf(projection)}.`,
          options.responseSchema ?? reference(projection),
        ),
        invalidBody,
        ...BODY_RESPONSES,
      ],
    ),
  );
}

/** `PATCH` of an item, which returns the item. */
export function Change(projection: Projection, options: RouteOptions): MethodDecorator {
  return applyDecorators(
    Patch(pathOf(options, ':id')),
    route({ ...itemOf(projection, options), changesItem: true, checksFirst: options.checksFirst }, options.summary, [
      json(200, `The ${nounOf(projection)} after the change.`, reference(projection)),
      ITEM_HAS_CHANGED,
      invalidBody,
      ...BODY_RESPONSES,
    ]),
  );
}

/** `PATCH` of the order of a list, which returns the list. */
export function Reorder(projection: Projection, options: RouteOptions): MethodDecorator {
  return applyDecorators(
    Patch(pathOf(options, 'order')),
    route({ projection, scope: 'list', items: options.within ?? [] }, options.summary, [
      json(200, 'The list in its new order.', listSchemaOf(projection, 'never')),
      invalidBody,
      ...BODY_RESPONSES,
    ]),
  );
}

/** `DELETE` of an item: 204 without a body. */
export function Remove(projection: Projection, options: RouteOptions): MethodDecorator {
  const { items, preconditions } = itemOf(projection, options);
  return applyDecorators(
    Delete(pathOf(options, ':id')),
    HttpCode(204),
    route({ items, preconditions, options: options.options, changesItem: true }, options.summary, [
      { status: 204, description: 'It no longer exists, or is as it was originally. There is no body.' },
      ITEM_HAS_CHANGED,
      invalidBody,
      ...BODY_RESPONSES,
    ]),
  );
}

/** `DELETE` that resets an item to its original, and returns the item. */
export function Reset(projection: Projection, options: RouteOptions): MethodDecorator {
  return applyDecorators(
    Delete(pathOf(options, ':id')),
    route({ ...itemOf(projection, options), changesItem: true }, options.summary, [
      json(200, `The original ${nounOf(projection)}.`, reference(projection)),
      ITEM_HAS_CHANGED,
      invalidBody,
      ...BODY_RESPONSES,
    ]),
  );
}
