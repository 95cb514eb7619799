import { PLACE_NAME_MAXIMUM_LENGTH } from '#domain/projects/project-access/application.rules.js';
import { TAG_MAXIMUM_LENGTH } from '#domain/library/countermeasure/countermeasure.rules.js';
import {
  BooleanField,
  Changes,
  Facts,
  NumericReference,
  StringField,
  StringListField,
  ObjectListField,
  Reference,
  Text,
} from '../../http/body/fields.js';
import { GroupMemberBody, ofGroups, ofUsers, UserMemberBody } from './members.dto.js';

export class CreateProject {
  @StringField({
    maximum: PLACE_NAME_MAXIMUM_LENGTH,
    description: 'Unique in the application, whatever its case.',
    example: 'Web shop 2.0',
  })
  name!: string;

  @NumericReference({ description: 'The application that it works on.', example: 1 })
  application!: number;

  @Text({ blank: true, optional: true, default: '', description: 'What it is about.' })
  description?: string;

  @Reference('profile', {
    optional: true,
    nullable: true,
    description: 'What kind of project it is: a new one begins with its answers. Left out: the default profile.',
    example: 'P1',
  })
  profile?: string | null;

  @StringListField({ maximum: TAG_MAXIMUM_LENGTH, optional: true, description: 'All tags.', example: ['pci'] })
  tags?: string[];

  @Facts({ optional: true, description: 'Facts of your own, by name: all of them.', example: { cost_center: '4711' } })
  custom_attributes?: object;

  @NumericReference({ optional: true, nullable: true, description: 'The project that it is a part of.', example: null })
  parent?: number | null;

  @NumericReference({
    optional: true,
    nullable: true,
    description: 'The project that it is begun from: a new one begins with the answers of that one.',
    example: null,
  })
  base_project?: number | null;

  @NumericReference({
    optional: true,
    nullable: true,
    description: 'Its own risk policy. Null: that of its business unit, else the default one.',
    example: 1,
  })
  risk_policy?: number | null;

  @ObjectListField(() => UserMemberBody, {
    optional: true,
    ...ofUsers,
    description: 'All users who are its members. A bare e-mail or number is a reader.',
  })
  users?: UserMemberBody[];

  @ObjectListField(() => GroupMemberBody, {
    optional: true,
    ...ofGroups,
    description: 'All groups whose users are its members.',
  })
  groups?: GroupMemberBody[];

  @BooleanField({ optional: true, default: false, description: 'Lists leave it out.' })
  archived?: boolean;

  @BooleanField({ optional: true, default: false, description: 'Only its leads may change it.' })
  locked?: boolean;

  @BooleanField({ optional: true, default: false, description: 'Changes of the library stay out of it.' })
  content_refresh_locked?: boolean;
}

export class ChangeProject extends Changes(CreateProject) {}
