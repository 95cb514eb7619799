import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { hashToken, newSecret } from '#platform/crypto/token.js';
import type { Sql } from '#query/query-context.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import { type Actor, fullName } from '../../kernel/actor.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { userItemId } from '../../kernel/item-id.js';
import { serviceOf } from '../../kernel/operator.js';
import { clockTime, now, tables } from '../../kernel/tables.js';
import { User } from '../user/user.entity.js';
import { isUseStale, rightsOf } from './session-owner.js';
import { Session } from './session.entity.js';
import { MAX_SESSIONS, MAX_USER_AGENT_LENGTH, PREVIOUS_ID_SECONDS, type SessionLimits } from './session.rules.js';
import { numericId } from '../../kernel/row-to-change.js';

/** Where a person signs in. */
export interface SignInPlace {
  readonly address: string;
  readonly userAgent: string;
}

const HOUR = sql`interval '1 hour'`;

const activityOf = (
  user: { readonly id: number; readonly name: string },
  details: Pick<ActivityInput, 'subject' | 'verb' | 'details'>,
): ActivityInput => ({ ...details, id: userItemId(user.id), title: user.name });

/** The identity provider that has signed a person in. */
export interface SessionOrigin {
  readonly providerId: number;
  readonly sealedIdToken: string;
}

/**
 * Starts a session of the actor, who has just proved who they are: with their password, or to an identity provider.
 * Returns its id, of which only the hash is stored.
 */
export async function startSession(
  em: EntityManager,
  actor: Actor,
  { address, userAgent }: SignInPlace,
  { idleHours, maximumHours }: SessionLimits,
  origin?: SessionOrigin,
): Promise<string> {
  const id = newSecret();
  const database = tables(em, Session);
  await database
    .insertInto('user_session')
    .values({
      user_id: actor.id,
      credential: origin ? 'oidc' : 'password',
      identity_provider_id: origin?.providerId ?? null,
      sealed_id_token: origin?.sealedIdToken ?? null,
      hash: hashToken(id),
      rights: rightsOf(actor),
      address,
      user_agent: [...userAgent].slice(0, MAX_USER_AGENT_LENGTH).join(''),
      expires_at: sql<string>`now() + ${Math.min(idleHours, maximumHours)} * ${HOUR}`,
    })
    .execute();
  await database
    .deleteFrom('user_session')
    .where('id', 'in', (query) =>
      query
        .selectFrom('user_session')
        .select('id')
        .where('user_id', '=', actor.id)
        .orderBy('last_used_at', 'desc')
        .orderBy('id', 'desc')
        .offset(MAX_SESSIONS),
    )
    .execute();
  await recordActivity(
    em,
    actor,
    activityOf(actor, { subject: 'session', verb: 'Started', details: { address_desc: address } }),
  );
  return id;
}

/** Updates a session's last use and expiry, at most once a minute, so that not every request writes. */
export async function recordSessionUse(
  em: EntityManager,
  id: number,
  { idleHours, maximumHours }: SessionLimits,
): Promise<void> {
  await sql`UPDATE user_session SET last_used_at = now(),
      expires_at = least(now() + ${idleHours} * ${HOUR}, created_at + ${maximumHours} * ${HOUR})
    WHERE id = ${id} AND ${isUseStale('user_session')}`.execute(em.getKysely());
}

/** Stores another id for a session; returns it, or undefined if no session meets the condition. */
async function replaceId(
  em: EntityManager,
  actor: Actor,
  condition: Sql,
  others: Record<string, Sql>,
): Promise<string | undefined> {
  const id = newSecret();
  const columns = { hash: sql`${hashToken(id)}`, rights: sql`${rightsOf(actor)}`, ...others };
  const assignments = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const { rows } = await sql`UPDATE user_session SET ${sql.join(assignments)}
    WHERE ${condition} AND user_id = ${actor.id} RETURNING id`.execute(em.getKysely());
  return rows.length ? id : undefined;
}

/**
 * Replaces the id of the actor's session after a change of their permissions, if it still is `id`: only one of several
 * concurrent requests renews it. The old id works for `PREVIOUS_ID_SECONDS`.
 */
export function renewSession(em: EntityManager, actor: Actor, id: string): Promise<string | undefined> {
  return replaceId(em, actor, sql`hash = ${hashToken(id)}`, {
    previous_hash: sql`hash`,
    previous_until: sql`now() + make_interval(secs => ${PREVIOUS_ID_SECONDS})`,
  });
}

/**
 * Confirms a session of the actor, who has just proved again who they are, and replaces its id at once: an id that
 * someone else knows must not gain more rights. Throws `NotFound` if the session has ended.
 *
 * @param sealedIdToken of the provider to which they have proved it
 */
export async function confirmSession(
  em: EntityManager,
  actor: Actor,
  sessionId: number,
  sealedIdToken?: string,
): Promise<string> {
  const id = await replaceId(em, actor, sql`id = ${sessionId}`, {
    previous_hash: sql`NULL`,
    previous_until: sql`NULL`,
    confirmed_at: clockTime,
    ...(sealedIdToken !== undefined && { sealed_id_token: sql`${sealedIdToken}` }),
  });
  if (id === undefined) throw new NotFound();
  return id;
}

/** Finds a user of the actor's organization. Throws `NotFound`. */
async function ownerOf(em: EntityManager, actor: Actor, userId: number): Promise<{ id: number; name: string }> {
  const user = await tables(em, User)
    .selectFrom('user_account')
    .select(['first_name', 'last_name'])
    .where('id', '=', userId)
    .where('organization_id', '=', actor.organizationId)
    .executeTakeFirst();
  if (!user) throw new NotFound();
  return { id: userId, name: fullName(user.first_name, user.last_name) };
}

/** Ends sessions of a user that have not expired, and records it; returns their number. */
async function end(em: EntityManager, actor: Actor, userId: number, condition: Sql): Promise<number> {
  const owner = await ownerOf(em, actor, userId);
  const ended = await tables(em, Session)
    .deleteFrom('user_session')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where(condition.$castTo<boolean>())
    .returning('id')
    .execute();
  await recordActivity(em, actor, ...ended.map(() => activityOf(owner, { subject: 'session', verb: 'Ended' })));
  return ended.length;
}

/** Ends a session of a user of the actor's organization, by default one of the actor. Throws `NotFound`. */
export async function endSession(em: EntityManager, actor: Actor, id: string, userId = actor.id): Promise<void> {
  if (!(await end(em, actor, userId, sql`id = ${numericId(id)}`))) throw new NotFound();
}

/**
 * Ends all sessions of a user of the actor's organization, except the one with this number; returns their number.
 * Throws `NotFound` if there is no such user.
 */
export const endSessionsOf = (em: EntityManager, actor: Actor, userId: number, except = 0): Promise<number> =>
  end(em, actor, userId, sql`id <> ${except}`);

/** Records that someone tried to sign in as this user with a wrong password. */
export const recordRejectedSignIn = (em: EntityManager, user: Actor, address: string): Promise<void> =>
  recordActivity(
    em,
    serviceOf(user.organizationId),
    activityOf(user, { subject: 'sign_in', verb: 'Rejected', details: { address_desc: address } }),
  );

/** Deletes expired sessions of all users; returns their number. */
export async function deleteExpiredSessions(em: EntityManager): Promise<number> {
  const { numDeletedRows } = await tables(em, Session)
    .deleteFrom('user_session')
    .where('expires_at', '<', now)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
