import { boolean } from '#domain/kernel/fields/fields.js';
import { freeList } from '#domain/kernel/fields/free-fields.js';
import { BodyOf } from '../http/body/body-of.js';
import { EXAMPLE_REQUESTS } from './composite.example.js';
import { METHODS, MAX_SUB_REQUESTS, MAX_REFERENCE_LENGTH } from './sub-requests.js';

const SUB_REQUEST = {
  type: 'object',
  required: ['method', 'path', 'reference_id'],
  properties: {
    method: { type: 'string', enum: [...METHODS] },
    path: {
      type: 'string',
      description: 'Absolute (`/api/v2/…`) or relative to `/api/v2/`, with its query. Can contain references.',
    },
    reference_id: {
      type: 'string',
      maxLength: MAX_REFERENCE_LENGTH,
      description: 'A name by which later requests can refer to the response: `@{weakness.id}`.',
    },
    body: { description: 'Any JSON value. Strings in it can contain references.' },
  },
} as const;

export class CompositeRequest extends BodyOf({
  all_or_none: boolean({
    optional: true,
    default: true,
    description: 'Runs all requests in one transaction: if one fails, none takes effect.',
  }),
  strict_ref_checking: boolean({
    optional: true,
    default: false,
    description: 'An unresolved reference fails its request. Otherwise it is left as it is.',
  }),
  composite_request: freeList(SUB_REQUEST, MAX_SUB_REQUESTS, {
    description: 'The requests, in the order in which they are made.',
    example: EXAMPLE_REQUESTS,
  }),
}) {}
