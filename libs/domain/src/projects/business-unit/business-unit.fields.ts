import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, line, numericReference } from '../../kernel/fields/fields.js';
import { MAX_PROJECT_NAME_LENGTH } from '../hierarchy/hierarchy.fields.js';
import { groupMemberList, groupList, userMemberList, userList } from '../project/project-members.fields.js';

export const businessUnitFields = {
  name: line({
    maximum: MAX_PROJECT_NAME_LENGTH,
    description: 'Unique within the organization, ignoring case.',
    example: 'Logistics',
  }),
  users: userList('All users who belong to it.'),
  groups: groupList('All groups that belong to it.'),
  default_users: userMemberList('All users who become members of each new project in it.'),
  default_groups: groupMemberList('All groups that become members of each new project in it.'),
  all_users: boolean({
    optional: true,
    default: false,
    description: 'Whether everyone in the organization sees its projects.',
  }),
  persist_phases: boolean({
    optional: true,
    default: false,
    description: 'For compatibility with clients only: has no effect on projects.',
  }),
  default_risk_policy: numericReference({
    optional: true,
    nullable: true,
    description: 'The default risk policy of its projects; null: that of the organization.',
    example: 1,
  }),
};

export type BusinessUnitInput = InputOf<typeof businessUnitFields>;
