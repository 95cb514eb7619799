import { comparable, isCommonPassword, lettersAndDigits } from './common-passwords.js';

/**
 * Unicode code points of a password. NIST SP 800-63B-4 requires 15 if a password is the only factor, and 8 with a
 * second factor, which Merlon does not support yet. The maximum keeps hashing cheap.
 */
export const PASSWORD_LENGTH = { minimum: 15, maximum: 1000 };

/** Returns an error message, or undefined if the length is valid. */
export function passwordLengthError(password: string): string | undefined {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH.minimum) return `Ensure this field has at least ${PASSWORD_LENGTH.minimum} characters.`;
  if (length > PASSWORD_LENGTH.maximum)
    return `Ensure this field has no more than ${PASSWORD_LENGTH.maximum} characters.`;
  return undefined;
}

/**
 * Returns an error message, or undefined if the user with this e-mail address may have the password. There are no rules
 * on the kinds of characters.
 */
export async function passwordError(password: string, email: string): Promise<string | undefined> {
  const error = passwordLengthError(password);
  if (error !== undefined) return error;
  const own = [email, email.slice(0, email.indexOf('@'))];
  if (own.some((text) => [comparable, lettersAndDigits].some((form) => form(text) === form(password))))
    return 'The password must not be the e-mail address or the part before its "@".';
  return (await isCommonPassword(password))
    ? 'This is a common password or a variation of one. Choose another, such as several unrelated words.'
    : undefined;
}
