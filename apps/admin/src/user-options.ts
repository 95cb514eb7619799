import type { EntityManager } from '@mikro-orm/postgresql';
import { findUserByEmail } from '#domain/access/user/find-user.js';
import { EMAIL_MAXIMUM_LENGTH, isEmail } from '#domain/access/user/user.rules.js';
import { CommandError, type Option, type Options } from './command.js';

export const EMAIL: Option = { type: 'string', required: true, about: 'e-mail of the user' };

/** The e-mail that was given. Throws `CommandError`. */
export function emailOf(options: Options): string {
  const email = options.required('email', EMAIL_MAXIMUM_LENGTH);
  if (!isEmail(email)) throw new CommandError(`--email: "${email}" is no e-mail address.`);
  return email;
}

/** The user whose e-mail was given. Throws `CommandError` where there is none. */
export async function userOf(em: EntityManager, options: Options): Promise<{ id: number; organizationId: number }> {
  const email = options.required('email', EMAIL_MAXIMUM_LENGTH);
  const user = await findUserByEmail(em, email);
  if (!user) throw new CommandError(`--email: there is no user "${email}".`);
  return user;
}
