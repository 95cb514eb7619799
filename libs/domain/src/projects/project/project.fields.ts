import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, line, numericReference, reference, text } from '../../kernel/fields/fields.js';
import { tagList } from '../../library/countermeasure/countermeasure.fields.js';
import { customAttributes, MAX_PROJECT_NAME_LENGTH } from '../hierarchy/hierarchy.fields.js';
import { groupMemberList, userMemberList } from './project-members.fields.js';

export const projectFields = {
  name: line({
    maximum: MAX_PROJECT_NAME_LENGTH,
    description: 'Unique within the application, ignoring case.',
    example: 'Parcel tracking 1.0',
  }),
  application: numericReference({ description: 'The application that it belongs to.', example: 1 }),
  description: text({ blank: true, optional: true, default: '', description: 'Its description.' }),
  profile: reference('profile', {
    optional: true,
    nullable: true,
    description: 'The profile, whose answers a new project starts with. By default, the default profile.',
    example: 'P1',
  }),
  tags: tagList(['pci']),
  custom_attributes: customAttributes,
  parent: numericReference({
    optional: true,
    nullable: true,
    description: 'Its parent project.',
    example: null,
  }),
  base_project: numericReference({
    optional: true,
    nullable: true,
    description: 'A project to copy: a new project starts with its answers.',
    example: null,
  }),
  risk_policy: numericReference({
    optional: true,
    nullable: true,
    description: 'Its own risk policy. Null: that of its business unit, or the default one.',
    example: 1,
  }),
  users: userMemberList('All users who are its members. A bare e-mail address or number is a reader.'),
  groups: groupMemberList('All groups whose users are its members.'),
  archived: boolean({ optional: true, default: false, description: 'Whether it is archived: lists exclude it.' }),
  locked: boolean({ optional: true, default: false, description: 'Only its leads may change it.' }),
  content_refresh_locked: boolean({
    optional: true,
    default: false,
    description: 'Whether library changes are not applied to it.',
  }),
};

export type ProjectInput = InputOf<typeof projectFields>;
