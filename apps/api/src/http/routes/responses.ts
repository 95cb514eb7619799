import type { ApiResponseOptions } from '@nestjs/swagger';

const detail = (example: string) => ({
  type: 'object' as const,
  properties: { detail: { type: 'string' as const } },
  required: ['detail'],
  example: { detail: example },
});

/** Documentation of an error whose body is `{"detail": "…"}`. */
export const errorResponseOf = (status: number, description: string, example: string): ApiResponseOptions => ({
  status,
  description,
  content: { 'application/json': { schema: detail(example) } },
});

/** Documentation of a 400: messages by field or parameter, or one `detail` where the body is no JSON. */
export const invalidResponse = (description: string, example: Record<string, unknown>): ApiResponseOptions => ({
  status: 400,
  description,
  content: { 'application/json': { schema: { type: 'object', additionalProperties: true, example } } },
});

/** Errors that every route can answer. */
export const COMMON_RESPONSES: ApiResponseOptions[] = [
  errorResponseOf(406, 'The `Accept` header rules out JSON.', 'Could not satisfy the request Accept header.'),
  errorResponseOf(
    429,
    'Too many requests; `Retry-After` says when to come back.',
    'Request was throttled. Expected available in 1 second.',
  ),
  {
    status: 500,
    description: 'Our fault.',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { detail: { type: 'string' }, request_id: { type: 'string' } },
          required: ['detail', 'request_id'],
          example: { detail: 'Internal server error.', request_id: '0199c2ab-3c1f-7c3e-9d53-0f6a5a1be1f0' },
        },
      },
    },
  },
];

/** Errors of routes that take a body. */
export const BODY_RESPONSES: ApiResponseOptions[] = [
  errorResponseOf(413, 'The body is larger than the service takes.', 'The request body is larger than 5242880 bytes.'),
  errorResponseOf(415, 'The body is not JSON.', 'Unsupported media type "text/plain" in request.'),
];

export const NOT_FOUND = errorResponseOf(404, 'There is no such thing for the caller.', 'Not found.');
