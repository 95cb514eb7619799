import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, line, numericReference, reference, text } from '../../kernel/fields/fields.js';
import { tagList } from '../../library/countermeasure/tags.fields.js';
import { customAttributes } from '../project-access/custom-attributes.fields.js';
import { PLACE_NAME_MAXIMUM_LENGTH } from '../project-access/application.rules.js';
import { groupMemberList, userMemberList } from './project-members.fields.js';

export const projectFields = {
  name: line({
    maximum: PLACE_NAME_MAXIMUM_LENGTH,
    description: 'Unique in the application, whatever its case.',
    example: 'Web shop 2.0',
  }),
  application: numericReference({ description: 'The application that it works on.', example: 1 }),
  description: text({ blank: true, optional: true, default: '', description: 'What it is about.' }),
  profile: reference('profile', {
    optional: true,
    nullable: true,
    description: 'What kind of project it is: a new one begins with its answers. Left out: the default profile.',
    example: 'P1',
  }),
  tags: tagList(['pci']),
  custom_attributes: customAttributes,
  parent: numericReference({
    optional: true,
    nullable: true,
    description: 'The project that it is a part of.',
    example: null,
  }),
  base_project: numericReference({
    optional: true,
    nullable: true,
    description: 'The project that it is begun from: a new one begins with the answers of that one.',
    example: null,
  }),
  risk_policy: numericReference({
    optional: true,
    nullable: true,
    description: 'Its own risk policy. Null: that of its business unit, else the default one.',
    example: 1,
  }),
  users: userMemberList('All users who are its members. A bare e-mail or number is a reader.'),
  groups: groupMemberList('All groups whose users are its members.'),
  archived: boolean({ optional: true, default: false, description: 'Lists leave it out.' }),
  locked: boolean({ optional: true, default: false, description: 'Only its leads may change it.' }),
  content_refresh_locked: boolean({
    optional: true,
    default: false,
    description: 'Changes of the library stay out of it.',
  }),
};

export type ProjectInput = InputOf<typeof projectFields>;
