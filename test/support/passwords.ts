import { type TestUser, useTestApi } from '#test/support/api.js';
import { type ApiClient } from '#test/support/client.js';
import { setPasswordOf } from '#test/support/set-password.js';

export const TOKENS_PATH = '/users/me/tokens/';

export const PASSWORD = 'correct horse battery staple';

export interface Token {
  id: number;
  name: string;
  prefix: string;
  expires: string | null;
  last_used: string | null;
  last_used_address: string | null;
  scopes: readonly string[];
  projects: readonly number[] | null;
  token?: string;
}

/** Starts a test API with users who have a password. */
export function useTestPasswords() {
  const test = useTestApi();

  /** Creates a user with the password `PASSWORD`. */
  async function userWithPassword(): Promise<TestUser> {
    const user = await test.newUser();
    await setPasswordOf(test, user.id, PASSWORD);
    return user;
  }

  const basic = (email: string, password: string): ApiClient =>
    test.api.as(null).with({ Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` });

  return { test, userWithPassword, basic };
}
