import type { ApiResponseOptions } from '@nestjs/swagger';

/** Bodies of errors by name, shared by all operations. */
export const ERROR_SCHEMAS = {
  Error: { type: 'object' as const, properties: { detail: { type: 'string' as const } }, required: ['detail'] },
  ServerError: {
    type: 'object' as const,
    properties: { detail: { type: 'string' as const }, request_id: { type: 'string' as const } },
    required: ['detail', 'request_id'],
  },
  ServiceFailure: {
    type: 'object' as const,
    properties: {
      detail: { type: 'string' as const },
      request_id: { type: 'string' as const, description: 'Only if the service did not foresee the failure.' },
    },
    required: ['detail'],
  },
  PreconditionFailed: {
    type: 'object' as const,
    properties: {
      detail: { type: 'string' as const },
      current: {
        type: 'object' as const,
        description: 'The item as a GET returns it now.',
        additionalProperties: true,
      },
    },
    required: ['detail', 'current'],
  },
  InvalidInput: {
    type: 'object' as const,
    description: 'Messages by field or parameter, or one `detail` if the body is not JSON.',
    additionalProperties: true,
  },
};

const body = (schema: keyof typeof ERROR_SCHEMAS, example: object) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example },
});

/** Documentation of an error whose body is `{"detail": "…"}`. That of a 5xx may also have the request's id. */
export const errorResponseOf = (status: number, description: string, example: string): ApiResponseOptions => ({
  status,
  description,
  content: body(status < 500 ? 'Error' : 'ServiceFailure', { detail: example }),
});

/** Documentation of a 400: messages by field or parameter, or one `detail` if the body is not JSON. */
export const invalidResponse = (description: string, example: Record<string, unknown>): ApiResponseOptions => ({
  status: 400,
  description,
  content: body('InvalidInput', example),
});

/** A response without a body to a GET of a version that the client has. */
export const NOT_MODIFIED: ApiResponseOptions = { status: 304, description: 'The client has this version already.' };

/** Documentation of a 412. */
export const ITEM_HAS_CHANGED: ApiResponseOptions = {
  status: 412,
  description: 'The item has changed since you read it, and nothing was changed now.',
  content: body('PreconditionFailed', {
    detail: 'The item has changed since you read it: its ETag does not match "If-Match".',
    current: { id: 'CT1', title: 'Rotate the signing key every 90 days', priority: 8 },
  }),
};

/** Errors of requests that never reach a route. */
export const UNREADABLE_RESPONSES: ApiResponseOptions[] = [
  errorResponseOf(408, 'The request did not arrive in time.', 'The request did not arrive in time.'),
  errorResponseOf(
    431,
    'The request line and headers are too long or too many.',
    'The request line and headers are too long or too many.',
  ),
];

/** Errors that every route can return, unless it documents that status itself. */
export const COMMON_RESPONSES: ApiResponseOptions[] = [
  errorResponseOf(406, 'The `Accept` header excludes JSON.', 'Could not satisfy the request Accept header.'),
  errorResponseOf(
    429,
    'Too many requests. Try again after `Retry-After`.',
    'Request was throttled. Expected available in 1 second.',
  ),
  {
    status: 500,
    description: 'Internal server error.',
    content: body('ServerError', {
      detail: 'Internal server error.',
      request_id: '0199c2ab-3c1f-7c3e-9d53-0f6a5a1be1f0',
    }),
  },
  ...UNREADABLE_RESPONSES,
  errorResponseOf(
    503,
    'The service, its database or the reports are not available. Try again after `Retry-After`.',
    'The service is not available at present.',
  ),
  errorResponseOf(507, 'The disk is full.', 'The service has no free disk space at present.'),
];

/** Errors of routes that take a body. */
export const BODY_RESPONSES: ApiResponseOptions[] = [
  errorResponseOf(413, 'The body is larger than the limit.', 'The request body is larger than 5242880 bytes.'),
  errorResponseOf(415, 'The body is not JSON.', 'Unsupported media type "text/plain" in request.'),
];

/** Documentation of the 403 for a change with a session that a page of another site may have requested. */
export const FROM_ANOTHER_SITE = errorResponseOf(
  403,
  'The request has a session cookie, but neither `Sec-Fetch-Site: same-origin` nor the `Origin` of the service.',
  'This request does not come from a page of this service.',
);

export const MISSING_SCOPE = errorResponseOf(
  403,
  'The token does not have the required scope.',
  'Requires a token with the scope "library:read".',
);

export const NOT_FOUND = errorResponseOf(404, 'The item does not exist, or you cannot see it.', 'Not found.');
