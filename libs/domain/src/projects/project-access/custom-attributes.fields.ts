import { facts } from '../../kernel/fields/free-fields.js';

export const customAttributes = facts({
  optional: true,
  description: 'All custom attributes, by name.',
  example: { cost_center: '4711' },
});
