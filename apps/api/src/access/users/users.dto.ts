import { BLANK } from '#domain/kernel/fields/field-checks.js';
import { PASSWORD_LENGTH } from '#domain/access/user/password.rules.js';
import { newPassword, newUserFields, userFields } from '#domain/access/user/user.fields.js';
import { boolean, text } from '#domain/kernel/fields/fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateUser extends BodyOf(newUserFields) {}

export class ChangeUser extends Changes(BodyOf(userFields)) {}

export class ChangePassword extends BodyOf({
  // Accepts every text that was once a valid password, including whitespace.
  current_password: text({
    format: 'password',
    maximum: PASSWORD_LENGTH.maximum,
    minimum: 1,
    blank: true,
    validate: (password) => (password === '' ? BLANK : undefined),
    example: 'correct horse battery staple',
  }),
  new_password: newPassword({
    description: 'Must not be a common password, an earlier one, or the e-mail address.',
    example: 'staple battery horse correct',
  }),
  keep_tokens: boolean({
    optional: true,
    default: false,
    description: "Whether to keep the user's tokens. By default, they are revoked.",
  }),
}) {}
