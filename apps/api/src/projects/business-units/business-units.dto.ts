import { PLACE_NAME_MAXIMUM_LENGTH } from '#domain/projects/project-access/application.rules.js';
import { BooleanField, Changes, NumericReference, StringField, ObjectListField } from '../../http/body/fields.js';
import { GroupBody, GroupMemberBody, ofGroups, ofUsers, UserBody, UserMemberBody } from '../projects/members.dto.js';

export class CreateBusinessUnit {
  @StringField({
    maximum: PLACE_NAME_MAXIMUM_LENGTH,
    description: 'Unique in the organization, whatever its case.',
    example: 'Retail',
  })
  name!: string;

  @ObjectListField(() => UserBody, { optional: true, ...ofUsers, description: 'All users who belong to it.' })
  users?: UserBody[];

  @ObjectListField(() => GroupBody, { optional: true, ...ofGroups, description: 'All groups that belong to it.' })
  groups?: GroupBody[];

  @ObjectListField(() => UserMemberBody, {
    optional: true,
    ...ofUsers,
    description: 'All users who become members of each new project in it.',
  })
  default_users?: UserMemberBody[];

  @ObjectListField(() => GroupMemberBody, {
    optional: true,
    ...ofGroups,
    description: 'All groups that become members of each new project in it.',
  })
  default_groups?: GroupMemberBody[];

  @BooleanField({ optional: true, default: false, description: 'Everybody in the organization sees its projects.' })
  all_users?: boolean;

  @BooleanField({
    optional: true,
    default: false,
    description: 'Kept for clients that ask for it: nothing follows from it in projects.',
  })
  persist_phases?: boolean;

  @NumericReference({
    optional: true,
    nullable: true,
    description: 'The risk policy of its projects that have none of their own; null: the default one.',
    example: 1,
  })
  default_risk_policy?: number | null;
}

export class ChangeBusinessUnit extends Changes(CreateBusinessUnit) {}
