import { boolean } from '#domain/kernel/fields/fields.js';
import { freeList } from '#domain/kernel/fields/free-fields.js';
import { BodyOf } from '../http/body/body-of.js';
import { EXAMPLE_REQUESTS } from './composite.example.js';
import { METHODS, MOST_PARTS, REFERENCE_MAXIMUM_LENGTH } from './sub-requests.js';

const SUB_REQUEST = {
  type: 'object',
  required: ['method', 'path', 'reference_id'],
  properties: {
    method: { type: 'string', enum: [...METHODS] },
    path: {
      type: 'string',
      description: 'Full (`/api/v2/…`) or relative to it, with its query. May hold references.',
    },
    reference_id: {
      type: 'string',
      maxLength: REFERENCE_MAXIMUM_LENGTH,
      description: 'What later requests call the answer by: `@{weakness.id}`.',
    },
    body: { description: 'Any JSON value. Strings in it may hold references.' },
  },
} as const;

export class CompositeRequest extends BodyOf({
  all_or_none: boolean({
    optional: true,
    default: true,
    description: 'All requests are one transaction: after the first failure none has happened.',
  }),
  strict_ref_checking: boolean({
    optional: true,
    default: false,
    description: 'A reference that leads nowhere fails its request, instead of staying as it is written.',
  }),
  composite_request: freeList(SUB_REQUEST, MOST_PARTS, {
    description: 'The requests, in the order in which they are made.',
    example: EXAMPLE_REQUESTS,
  }),
}) {}
