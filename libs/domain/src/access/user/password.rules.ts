import { comparable, isCommonPassword, lettersAndDigits } from './common-passwords.js';

/**
 * Unicode code points of a password. NIST SP 800-63B-4 asks for 15 where a password is the only factor; 8 will do for
 * accounts with a second one, which there are none of yet. The upper end keeps hashing cheap.
 */
export const PASSWORD_LENGTH = { minimum: 15, maximum: 1000 };

/** What is wrong with the length of a password, or nothing. */
export function passwordLengthProblem(password: string): string | undefined {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH.minimum) return `Ensure this field has at least ${PASSWORD_LENGTH.minimum} characters.`;
  if (length > PASSWORD_LENGTH.maximum)
    return `Ensure this field has no more than ${PASSWORD_LENGTH.maximum} characters.`;
  return undefined;
}

/**
 * What is wrong with a new password of the user with an e-mail address, or nothing. Which kinds of characters it has
 * does not matter.
 */
export async function passwordProblem(password: string, email: string): Promise<string | undefined> {
  const problem = passwordLengthProblem(password);
  if (problem !== undefined) return problem;
  const own = [email, email.slice(0, email.indexOf('@'))];
  if (own.some((text) => [comparable, lettersAndDigits].some((form) => form(text) === form(password))))
    return 'The password must not be the e-mail address or what is in front of its "@".';
  return (await isCommonPassword(password))
    ? 'This is a common password or a variation of one. Choose another, such as several unrelated words.'
    : undefined;
}
