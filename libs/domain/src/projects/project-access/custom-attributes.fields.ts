import { facts } from '../../kernel/fields/free-fields.js';

/** What an organization notes of an application or a project. */
export const customAttributes = facts({
  optional: true,
  description: 'Facts of your own, by name: all of them.',
  example: { cost_center: '4711' },
});
