import type { InputOf } from '../../kernel/fields/field.js';
import { email } from '../../access/user/user.fields.js';
import { choice, integer, line, objectList } from '../../kernel/fields/fields.js';
import { PROJECT_ROLES, type ProjectRole } from '../project-access/project-roles.js';

/** The role of a member for whom none is named: no more than to read. */
export const DEFAULT_MEMBER_ROLE: ProjectRole = 'PR5';

const role = choice(PROJECT_ROLES, { optional: true, default: DEFAULT_MEMBER_ROLE, example: 'PR4' });

/** A user, named by number or by e-mail. */
const userFields = {
  id: integer({ optional: true, description: 'The user by number; or `email`.', example: 7 }),
  email: email({ optional: true, description: 'The user by e-mail; or `id`.', example: 'ada@example.com' }),
};

export const userMemberFields = { ...userFields, role };

const groupFields = { id: line({ maximum: 100, description: 'The id of the group.', example: 'G1' }) };

export const groupMemberFields = { ...groupFields, role };

/** Of lists of users: a bare number is a user's id, a bare text their e-mail, and answers show their names as well. */
const OF_USERS = {
  optional: true,
  shorthand: (value: string | number): string => (typeof value === 'number' ? 'id' : 'email'),
  shown: ['first_name', 'last_name'],
} as const;

/** Of lists of groups: a bare text is a group's id, and answers show its name as well. */
const OF_GROUPS = { optional: true, shorthand: (): string => 'id', shown: ['name'] } as const;

export const userList = (description: string) => objectList('UserBody', userFields, { ...OF_USERS, description });

export const userMemberList = (description: string) =>
  objectList('UserMemberBody', userMemberFields, { ...OF_USERS, description });

export const groupList = (description: string) => objectList('GroupBody', groupFields, { ...OF_GROUPS, description });

export const groupMemberList = (description: string) =>
  objectList('GroupMemberBody', groupMemberFields, { ...OF_GROUPS, description });

export type UserMemberInput = InputOf<typeof userMemberFields>;

export type GroupMemberInput = InputOf<typeof groupMemberFields>;
