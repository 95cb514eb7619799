import { PASSWORD_LENGTH } from '#domain/access/user/password.rules.js';
import { PERSON_NAME_MAXIMUM_LENGTH } from '#domain/access/user/user.rules.js';
import { DEFAULT_ROLE } from '#domain/access/role/role.rules.js';
import {
  BooleanField,
  Changes,
  EmailField,
  StringField,
  NewPassword,
  PasswordField,
  Reference,
  References,
} from '../../http/body/fields.js';

class UserFields {
  @EmailField({ description: 'Unique, whatever its case.', example: 'ada@example.com' })
  email!: string;

  @StringField({ maximum: PERSON_NAME_MAXIMUM_LENGTH, example: 'Ada' })
  first_name!: string;

  @StringField({ maximum: PERSON_NAME_MAXIMUM_LENGTH, example: 'Lovelace' })
  last_name!: string;

  @Reference('global_role', {
    optional: true,
    default: DEFAULT_ROLE,
    description: 'A global role that can do no more than the caller.',
    example: 'UR1',
  })
  role?: string;

  @References('user_group', {
    optional: true,
    description: 'All groups that the user is in.',
    example: ['G1'],
  })
  groups?: string[];

  @BooleanField({ optional: true, default: true, description: 'Inactive users can do nothing.' })
  is_active?: boolean;

  @BooleanField({ optional: true, default: false, description: 'Only super-users may send it.' })
  is_superuser?: boolean;
}

export class CreateUser extends UserFields {
  @NewPassword({
    optional: true,
    description: 'The first password. Without it, the user needs a token that a super-user makes.',
    example: 'correct horse battery staple',
  })
  password?: string;
}

export class ChangeUser extends Changes(UserFields) {}

export class ChangePassword {
  @PasswordField({ maximum: PASSWORD_LENGTH.maximum, example: 'correct horse battery staple' })
  current_password!: string;

  @NewPassword({
    description: 'None that is common, none of before, and not the e-mail address.',
    example: 'staple battery horse correct',
  })
  new_password!: string;

  @BooleanField({
    optional: true,
    default: false,
    description: "Keeps the user's tokens. Without it, the change ends them.",
  })
  keep_tokens?: boolean;
}
