import type { EntityManager } from '@mikro-orm/postgresql';
import { findUserByEmail } from '#domain/access/user/find-user.js';
import { MAX_EMAIL_LENGTH, isEmail } from '#domain/access/user/user.rules.js';
import { CommandError, type Option, type Options } from './command.js';

export const EMAIL: Option = { type: 'string', required: true, about: 'e-mail of the user' };

/** The value of `--email`. Throws `CommandError` if it is not an e-mail address. */
export function emailOf(options: Options): string {
  const email = options.required('email', MAX_EMAIL_LENGTH);
  if (!isEmail(email)) throw new CommandError(`--email: "${email}" is not a valid e-mail address.`);
  return email;
}

/** The user with the e-mail address in `--email`. Throws `CommandError` if there is none. */
export async function userOf(em: EntityManager, options: Options): Promise<{ id: number; organizationId: number }> {
  const email = options.required('email', MAX_EMAIL_LENGTH);
  const user = await findUserByEmail(em, email);
  if (!user) throw new CommandError(`--email: the user "${email}" does not exist.`);
  return user;
}
