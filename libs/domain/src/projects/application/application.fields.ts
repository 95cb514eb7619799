import type { InputOf } from '../../kernel/fields/field.js';
import { choice, line, numericReference, stringList, text } from '../../kernel/fields/fields.js';
import { facts } from '../../kernel/fields/free-fields.js';
import { TAG_MAXIMUM_LENGTH } from '../../library/countermeasure/countermeasure.rules.js';
import { APPLICATION_PRIORITIES, PLACE_NAME_MAXIMUM_LENGTH } from '../project-access/application.rules.js';

export const applicationFields = {
  name: line({
    maximum: PLACE_NAME_MAXIMUM_LENGTH,
    description: 'Unique in the business unit, whatever its case.',
    example: 'Web shop',
  }),
  business_unit: numericReference({ description: 'The business unit that it belongs to.', example: 1 }),
  priority: choice(APPLICATION_PRIORITIES, { optional: true, default: '0-none', example: '1-high' }),
  description: text({ blank: true, optional: true, default: '', description: 'What it is for.' }),
  tags: stringList({ maximum: TAG_MAXIMUM_LENGTH, optional: true, description: 'The whole list.', example: ['shop'] }),
  custom_attributes: facts({
    optional: true,
    description: 'Facts of your own, by name: all of them.',
    example: { cost_center: '4711' },
  }),
};

export type ApplicationInput = InputOf<typeof applicationFields>;
