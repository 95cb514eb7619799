import { openObject } from '../../kernel/fields/free-fields.js';

/** The priorities of applications, as the API spells them. */
export const APPLICATION_PRIORITIES = ['0-none', '1-high', '2-medium', '3-low'] as const;

/** The maximum length of the names of business units, applications and projects, in Unicode code points. */
export const MAX_PROJECT_NAME_LENGTH = 255;

export const customAttributes = openObject({
  optional: true,
  description: 'All custom attributes, by name.',
  example: { cost_center: '4711' },
});
