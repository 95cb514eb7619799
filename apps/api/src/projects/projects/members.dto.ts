import { DEFAULT_MEMBER_ROLE } from '#domain/projects/project/project-members.js';
import { PROJECT_ROLES, type ProjectRole } from '#domain/projects/project-access/project-roles.js';
import { ChoiceField, EmailField, IntegerField, StringField } from '../../http/body/fields.js';

/** A user, named by number or by e-mail. */
export class UserBody {
  @IntegerField({ optional: true, description: 'The user by number; or `email`.', example: 7 })
  id?: number;

  @EmailField({ optional: true, description: 'The user by e-mail; or `id`.', example: 'ada@example.com' })
  email?: string;
}

export class UserMemberBody extends UserBody {
  @ChoiceField({ choices: PROJECT_ROLES, optional: true, default: DEFAULT_MEMBER_ROLE, example: 'PR4' })
  role?: ProjectRole;
}

export class GroupBody {
  @StringField({ maximum: 100, description: 'The id of the group.', example: 'G1' })
  id!: string;
}

export class GroupMemberBody extends GroupBody {
  @ChoiceField({ choices: PROJECT_ROLES, optional: true, default: DEFAULT_MEMBER_ROLE, example: 'PR4' })
  role?: ProjectRole;
}

/** Of lists of users: a bare number is a user's id, a bare text their e-mail, and answers show their names as well. */
export const ofUsers = {
  shorthand: (value: string | number): string => (typeof value === 'number' ? 'id' : 'email'),
  shown: ['first_name', 'last_name'],
} as const;

/** Of lists of groups: a bare text is a group's id, and answers show its name as well. */
export const ofGroups = { shorthand: (): string => 'id', shown: ['name'] } as const;
