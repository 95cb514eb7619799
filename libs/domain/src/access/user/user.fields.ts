import type { FieldOptions, InputOf } from '../../kernel/fields/field.js';
import { boolean, line, reference, references, text } from '../../kernel/fields/fields.js';
import { DEFAULT_ROLE } from '../role/role.rules.js';
import { PASSWORD_LENGTH, passwordLengthError } from './password.rules.js';
import { MAX_EMAIL_LENGTH, isEmail, MAX_PERSON_NAME_LENGTH } from './user.rules.js';

/** An e-mail address, trimmed. */
export const email = <Optional extends boolean = false>(options: FieldOptions<Optional, false>) =>
  line<Optional>({
    format: 'email',
    maximum: MAX_EMAIL_LENGTH,
    minimum: 0,
    validate: (address) => (isEmail(address) ? undefined : 'Enter a valid email address.'),
    ...options,
  });

/** A new password, not trimmed. Commands check the rules other than the length. */
export const newPassword = <Optional extends boolean = false>(options: FieldOptions<Optional, false>) =>
  text<Optional>({ format: 'password', ...PASSWORD_LENGTH, blank: true, validate: passwordLengthError, ...options });

export const userFields = {
  email: email({ description: 'Unique, ignoring case.', example: 'ada@example.com' }),
  first_name: line({ maximum: MAX_PERSON_NAME_LENGTH, example: 'Ada' }),
  last_name: line({ maximum: MAX_PERSON_NAME_LENGTH, example: 'Lovelace' }),
  role: reference('global_role', {
    optional: true,
    default: DEFAULT_ROLE,
    description: 'A global role. The caller must have all its permissions.',
    example: 'UR1',
  }),
  groups: references('user_group', {
    optional: true,
    description: 'All groups that the user is in.',
    example: ['G1'],
  }),
  is_active: boolean({ optional: true, default: true, description: 'Inactive users have no access.' }),
  is_superuser: boolean({ optional: true, default: false, description: 'Only super-users may set it.' }),
};

export const newUserFields = {
  ...userFields,
  is_service_account: boolean({
    optional: true,
    default: false,
    description:
      'A program instead of a person: it has no password and cannot sign in. Administrators create its tokens. It ' +
      'cannot be changed later.',
  }),
  password: newPassword({
    optional: true,
    description:
      'The initial password. Without it, the user needs a token created by a super-user. A token that expires cannot ' +
      'set it.',
    example: 'correct horse battery staple',
  }),
};

export type UserInput = InputOf<typeof userFields>;

export type NewUserInput = InputOf<typeof newUserFields>;
