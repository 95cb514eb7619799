import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, line } from '../../kernel/fields/fields.js';
import { boundedObject } from '../../kernel/fields/free-fields.js';

/** Code points of the name of a view, and of the page that it belongs to. */
const MAX_VIEW_NAME_LENGTH = 200;

/** Bytes of the query of a view as JSON. */
export const MAX_VIEW_QUERY_BYTES = 16_384;

/** Views of one user. */
export const MAX_VIEWS = 200;

export const savedViewFields = {
  name: line({ maximum: MAX_VIEW_NAME_LENGTH, description: 'What it is called.', example: 'Urgent and open' }),
  page: line({
    maximum: MAX_VIEW_NAME_LENGTH,
    description: 'The page that it belongs to, as the client names its pages.',
    example: 'project-countermeasures',
  }),
  query: boundedObject(MAX_VIEW_QUERY_BYTES, {
    description: `What the page shows, such as filters and an ordering. At most ${MAX_VIEW_QUERY_BYTES} bytes as JSON.`,
    example: { status: 'TS2', priority__gte: 7, ordering: '-priority' },
  }),
  shared: boolean({
    optional: true,
    default: false,
    description: 'Whether everyone in the organization sees it. Only its owner can change it.',
  }),
};

export type SavedViewInput = InputOf<typeof savedViewFields>;
