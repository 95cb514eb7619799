import type { InputOf } from '../../kernel/fields/field.js';
import { choiceList, line, text } from '../../kernel/fields/fields.js';
import { PERMISSIONS } from '../../kernel/permissions.js';
import { DESCRIPTION_MAXIMUM_LENGTH, NAME_MAXIMUM_LENGTH } from './role.rules.js';

export const globalRoleFields = {
  name: line({
    maximum: NAME_MAXIMUM_LENGTH,
    description: 'Unique within the organization, ignoring case.',
    example: 'Content editor',
  }),
  description: text({
    maximum: DESCRIPTION_MAXIMUM_LENGTH,
    blank: true,
    optional: true,
    default: '',
    example: 'May change the library.',
  }),
  permissions: choiceList(PERMISSIONS, {
    optional: true,
    default: [],
    description: 'All its permissions. The caller must have each of them.',
    example: ['customize_content'],
  }),
};

export type RoleInput = InputOf<typeof globalRoleFields>;
