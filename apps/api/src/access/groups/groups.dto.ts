import { DESCRIPTION_MAXIMUM_LENGTH, NAME_MAXIMUM_LENGTH } from '#domain/access/role/role.rules.js';
import { Changes, IntegerListField, StringField, Reference, Text } from '../../http/body/fields.js';

/** More users than a group will ever have, and few enough to be sent at once. */
const LARGEST_GROUP = 10_000;

export class CreateGroup {
  @StringField({
    maximum: NAME_MAXIMUM_LENGTH,
    description: 'Unique in the organization, whatever its case.',
    example: 'Security champions',
  })
  name!: string;

  @Text({
    maximum: DESCRIPTION_MAXIMUM_LENGTH,
    blank: true,
    optional: true,
    default: '',
    example: 'One of every team.',
  })
  description?: string;

  @Reference('global_role', {
    optional: true,
    nullable: true,
    description: 'A global role that its users have in addition to their own. It can do no more than the caller.',
    example: 'UR2',
  })
  role?: string | null;

  @IntegerListField({
    longest: LARGEST_GROUP,
    optional: true,
    description: 'All users in the group.',
    example: [7],
  })
  users?: number[];
}

export class ChangeGroup extends Changes(CreateGroup) {}
