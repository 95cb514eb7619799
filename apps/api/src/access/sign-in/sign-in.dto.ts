import { BLANK } from '#domain/kernel/fields/field-checks.js';
import { line, text } from '#domain/kernel/fields/fields.js';
import { MAX_ORGANIZATION_NAME_LENGTH } from '#domain/access/organization/organization.commands.js';
import { PASSWORD_LENGTH } from '#domain/access/user/password.rules.js';
import { newPassword, userFields } from '#domain/access/user/user.fields.js';
import { MAX_EMAIL_LENGTH } from '#domain/access/user/user.rules.js';
import { BodyOf } from '../../http/body/body-of.js';

/** Longer than the secret of any link. */
const MAX_SECRET_LENGTH = 100;

/** Unicode code points of a path to which the browser returns. */
const MAX_PATH_LENGTH = 2000;

/** Accepts every text that was once a valid password, including whitespace. */
const PASSWORD = {
  format: 'password',
  maximum: PASSWORD_LENGTH.maximum,
  minimum: 1,
  blank: true,
  validate: (value: string) => (value === '' ? BLANK : undefined),
  example: 'correct horse battery staple',
} as const;
const password = text(PASSWORD);

export class SignIn extends BodyOf({
  email: line({ maximum: MAX_EMAIL_LENGTH, example: 'ada@example.com' }),
  password,
}) {}

export class Reauthenticate extends BodyOf({
  password: text({ ...PASSWORD, optional: true, description: 'Left out by people who sign in with a provider.' }),
  return_to: text({
    maximum: MAX_PATH_LENGTH,
    optional: true,
    description: 'Where the provider returns: a path of the service, by default `/`.',
    example: '/account',
  }),
}) {}

const token = line({
  maximum: MAX_SECRET_LENGTH,
  description: 'The part of the link after `#`.',
  example: 'x3Zb0Yw8b1Jm5rQm7m0y7cQm4yX2h9pL6dT1sVfGk0E',
});

const chosenPassword = newPassword({
  description: 'Must not be a common password or the e-mail address.',
  example: 'correct horse battery staple',
});

export class AcceptInvitation extends BodyOf({ token, password: chosenPassword }) {}

export class LinkByInvitation extends BodyOf({ token }) {}

export class SetUp extends BodyOf({
  token,
  email: userFields.email,
  first_name: userFields.first_name,
  last_name: userFields.last_name,
  password: chosenPassword,
  organization: line({
    maximum: MAX_ORGANIZATION_NAME_LENGTH,
    description: 'The new name of the first organization.',
    example: 'Example Ltd.',
  }),
}) {}
