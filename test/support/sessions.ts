import { EntityManager } from '@mikro-orm/postgresql';
import { startSession } from '#domain/access/session/session.commands.js';
import { findActor } from '#domain/access/user/principal.js';
import { forkInTransaction, inTransaction } from '#domain/kernel/transaction.js';
import type { TestApi } from './api.js';
import { type Answer, type ApiClient, bodyOf } from './client.js';
import { eventually } from './eventually.js';
import { PASSWORD } from './passwords.js';

export const COOKIE = 'merlon';

/** The id in the cookie that a response sets; '' if it deletes the cookie, undefined if it has none. */
export function cookieOf({ headers }: Pick<Answer, 'headers'>, name = COOKIE): string | undefined {
  const [cookie] = (headers['set-cookie'] ?? []).filter((one) => one.startsWith(`${name}=`));
  return cookie?.slice(name.length + 1).split(';')[0];
}

/** A page of the service in a browser without a session: a client without credentials. */
export const pageOf = (test: Pick<TestApi, 'api' | 'origin'>): ApiClient =>
  test.api.as(null).with({ Origin: test.origin });

/** A page of the service in a browser with this session. */
export const browserWith = (test: Pick<TestApi, 'api' | 'origin'>, id: string): ApiClient =>
  pageOf(test).with({ Cookie: `${COOKIE}=${id}` });

/** A path outside of `/api/v2`. */
export const authPath = ({ origin }: Pick<TestApi, 'origin'>, name: string): string => `${origin}/auth/${name}/`;

export const logIn = (test: TestApi, email: string, password = PASSWORD, client = pageOf(test)): Promise<Answer> =>
  client.post(authPath(test, 'login'), { email, password });

/** Signs in with a password; returns a browser with the session, and its id. */
export async function signIn(test: TestApi, email: string, password?: string): Promise<{ id: string; api: ApiClient }> {
  const answer = await logIn(test, email, password);
  await bodyOf(answer);
  const id = cookieOf(answer) ?? '';
  return { id, api: browserWith(test, id) };
}

/** Waits until a rejected sign-in of a user is an activity, which is recorded after the response. */
export const rejectionOf = ({ database }: Pick<TestApi, 'database'>, userId: number): Promise<void> =>
  eventually(async () => {
    const rows = await database.query(
      `SELECT 1 FROM activity WHERE name = 'RejectedSignInActivity' AND data->>'user' = $1`,
      [`U${userId}`],
    );
    return rows.length > 0;
  }, 20);

/** Starts a session of a user who may have no password; returns its id. */
export async function sessionOf(test: TestApi, userId: number, userAgent = 'Test'): Promise<string> {
  const em = test.running.app.get(EntityManager);
  const actor = await findActor(forkInTransaction(em), userId);
  if (!actor) throw new Error('There is no such user.');
  const place = { address: '127.0.0.1', userAgent };
  return inTransaction(em, actor, (forked) => startSession(forked, actor, place, { idleHours: 12, maximumHours: 168 }));
}

/** Invites a user; returns the secret of the link. */
export async function inviteUser({ api }: Pick<TestApi, 'api'>, userId: number): Promise<string> {
  const { url } = await bodyOf(api.post<{ url: string }>(`/users/${userId}/invitations/`), 201);
  return new URL(url).hash.slice(1);
}
