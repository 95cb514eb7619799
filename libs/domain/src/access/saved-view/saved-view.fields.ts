import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, line } from '../../kernel/fields/fields.js';
import { boundedObject } from '../../kernel/fields/free-fields.js';
import { MAX_VIEW_NAME_LENGTH, MAX_VIEW_QUERY_BYTES } from './saved-view.rules.js';

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
