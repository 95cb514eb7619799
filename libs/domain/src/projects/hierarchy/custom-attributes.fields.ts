import { openObject } from '../../kernel/fields/free-fields.js';

export const customAttributes = openObject({
  optional: true,
  description: 'All custom attributes, by name.',
  example: { cost_center: '4711' },
});
