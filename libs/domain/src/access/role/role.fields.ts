import type { InputOf } from '../../kernel/fields/field.js';
import { choiceList, line, text } from '../../kernel/fields/fields.js';
import { PERMISSIONS } from '../../kernel/permissions.js';
import { MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH } from './role.rules.js';

export const globalRoleFields = {
  name: line({
    maximum: MAX_NAME_LENGTH,
    description: 'Unique within the organization, ignoring case.',
    example: 'Content editor',
  }),
  description: text({
    maximum: MAX_DESCRIPTION_LENGTH,
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
