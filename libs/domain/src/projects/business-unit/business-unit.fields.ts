import type { InputOf } from '../../kernel/fields/field.js';
import { groupMemberList, groupList, userMemberList, userList } from '../project/project-members.fields.js';
import { boolean, line, numericReference } from '../../kernel/fields/fields.js';
import { PLACE_NAME_MAXIMUM_LENGTH } from '../project-access/application.rules.js';

export const businessUnitFields = {
  name: line({
    maximum: PLACE_NAME_MAXIMUM_LENGTH,
    description: 'Unique in the organization, whatever its case.',
    example: 'Retail',
  }),
  users: userList('All users who belong to it.'),
  groups: groupList('All groups that belong to it.'),
  default_users: userMemberList('All users who become members of each new project in it.'),
  default_groups: groupMemberList('All groups that become members of each new project in it.'),
  all_users: boolean({
    optional: true,
    default: false,
    description: 'Everybody in the organization sees its projects.',
  }),
  persist_phases: boolean({
    optional: true,
    default: false,
    description: 'Kept for clients that ask for it: nothing follows from it in projects.',
  }),
  default_risk_policy: numericReference({
    optional: true,
    nullable: true,
    description: 'The risk policy of its projects that have none of their own; null: the default one.',
    example: 1,
  }),
};

export type BusinessUnitInput = InputOf<typeof businessUnitFields>;
