import { email } from '../../access/user/user.fields.js';
import type { InputOf } from '../../kernel/fields/field.js';
import { choice, integer, line, objectList } from '../../kernel/fields/fields.js';
import { PROJECT_ROLES, type ProjectRole } from '../../kernel/permissions.js';

/** The default role of a member: reader. */
export const DEFAULT_MEMBER_ROLE: ProjectRole = 'PR5';

const role = choice(PROJECT_ROLES, { optional: true, default: DEFAULT_MEMBER_ROLE, example: 'PR4' });

const userFields = {
  id: integer({ optional: true, description: 'The number of the user; or send `email`.', example: 7 }),
  email: email({ optional: true, description: 'The e-mail of the user; or send `id`.', example: 'ada@example.com' }),
};

const userMemberFields = { ...userFields, role };

const groupFields = { id: line({ maximum: 100, description: 'The id of the group.', example: 'G1' }) };

const groupMemberFields = { ...groupFields, role };

/** Options of lists of users: a bare number is an id, a bare string an e-mail address. Responses include names. */
const USER_LIST_OPTIONS = {
  optional: true,
  shorthand: (value: string | number): string => (typeof value === 'number' ? 'id' : 'email'),
  shown: ['first_name', 'last_name'],
} as const;

/** Options of lists of groups: a bare string is a group's id. Responses include names. */
const GROUP_LIST_OPTIONS = { optional: true, shorthand: (): string => 'id', shown: ['name'] } as const;

export const userList = (description: string) =>
  objectList('UserBody', userFields, { ...USER_LIST_OPTIONS, description });

export const userMemberList = (description: string) =>
  objectList('UserMemberBody', userMemberFields, { ...USER_LIST_OPTIONS, description });

export const groupList = (description: string) =>
  objectList('GroupBody', groupFields, { ...GROUP_LIST_OPTIONS, description });

export const groupMemberList = (description: string) =>
  objectList('GroupMemberBody', groupMemberFields, { ...GROUP_LIST_OPTIONS, description });

export type UserMemberInput = InputOf<typeof userMemberFields>;

export type GroupMemberInput = InputOf<typeof groupMemberFields>;
