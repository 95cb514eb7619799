import type { InputOf } from '../../kernel/fields/field.js';
import { choice, line, numericReference, text } from '../../kernel/fields/fields.js';
import { tagList } from '../../library/countermeasure/countermeasure.fields.js';
import { customAttributes, APPLICATION_PRIORITIES, MAX_PROJECT_NAME_LENGTH } from '../hierarchy/hierarchy.fields.js';

export const applicationFields = {
  name: line({
    maximum: MAX_PROJECT_NAME_LENGTH,
    description: 'Unique within the business unit, ignoring case.',
    example: 'Parcel tracking',
  }),
  business_unit: numericReference({ description: 'The business unit that it belongs to.', example: 1 }),
  priority: choice(APPLICATION_PRIORITIES, { optional: true, default: '0-none', example: '1-high' }),
  description: text({ blank: true, optional: true, default: '', description: 'What it is for.' }),
  tags: tagList(['shop']),
  custom_attributes: customAttributes,
};

export type ApplicationInput = InputOf<typeof applicationFields>;
