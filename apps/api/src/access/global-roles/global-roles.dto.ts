import { PERMISSIONS, type Permission } from '#domain/kernel/permissions.js';
import { DESCRIPTION_MAXIMUM_LENGTH, NAME_MAXIMUM_LENGTH } from '#domain/access/role/role.rules.js';
import { Changes, ChoiceListField, StringField, Text } from '../../http/body/fields.js';

export class CreateGlobalRole {
  @StringField({
    maximum: NAME_MAXIMUM_LENGTH,
    description: 'Unique in the organization, whatever its case.',
    example: 'Content editor',
  })
  name!: string;

  @Text({
    maximum: DESCRIPTION_MAXIMUM_LENGTH,
    blank: true,
    optional: true,
    default: '',
    example: 'May change the library.',
  })
  description?: string;

  @ChoiceListField({
    choices: PERMISSIONS,
    optional: true,
    default: [],
    description: 'All permissions of the role. The caller must have each of them.',
    example: ['customize_content'],
  })
  permissions?: Permission[];
}

export class ChangeGlobalRole extends Changes(CreateGlobalRole) {}
