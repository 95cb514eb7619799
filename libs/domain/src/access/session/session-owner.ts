import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { isoTime } from '#query/expressions.js';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { Forbidden } from '../../kernel/domain-errors.js';
import { Organization } from '../organization/organization.entity.js';
import { tables } from '../../kernel/tables.js';
import { actorColumns, actorOf, type ActorRow } from '../user/principal.js';
import { CONFIRMED_MINUTES, NOT_CONFIRMED } from './session.rules.js';

/** A session that authenticates a request. */
export interface ActiveSession {
  readonly id: number;
  /** Whether the person proved again who they are, within `CONFIRMED_MINUTES`. */
  readonly isConfirmed: boolean;
  /** Whether the user's permissions have changed since the session got its id, so that it needs another one. */
  readonly isOutdated: boolean;
}

/** The owner of a session. `stale` means that the time of the session's last use has to be updated. */
export interface SessionOwner {
  readonly actor: Actor;
  readonly session: ActiveSession;
  readonly stale: boolean;
}

/** A user's global permissions as a text, which changes whenever they change. */
export const rightsOf = ({ isSuperUser, permissions }: Actor): string =>
  [...(isSuperUser ? ['super-user'] : []), ...[...permissions].sort()].join(' ');

/** Whether a session was last used so long ago that its use is recorded again: not every request writes. */
export const isUseStale = (session: string): Sql =>
  sql`${sql.ref(`${session}.last_used_at`)} < now() - interval '1 minute'`;

type SessionRow = ActorRow & { session_id: number; rights: string; is_confirmed: boolean; stale: boolean };

/** Whether the person proved again who they are within `CONFIRMED_MINUTES`, in the session `s`. */
const isConfirmed = sql<boolean>`coalesce(
  s.confirmed_at > now() - make_interval(mins => ${CONFIRMED_MINUTES}), false)`;

/** Throws `Forbidden` if the actor has a session that was not confirmed a short time ago. */
export async function assertConfirmed(em: EntityManager, { session }: Actor): Promise<void> {
  if (session === undefined) return;
  const { rows } = await sql`SELECT 1 FROM user_session s WHERE id = ${session} AND ${isConfirmed}`.execute(
    em.getKysely(),
  );
  if (!rows.length) throw new Forbidden(NOT_CONFIRMED);
}

async function findOwner(em: EntityManager, condition: Sql): Promise<SessionOwner | undefined> {
  const { rows } = await sql<SessionRow>`
    SELECT ${actorColumns}, s.id AS session_id, s.rights,
      ${isConfirmed} AS is_confirmed,
      ${isUseStale('s')} AS stale
    FROM user_session s JOIN user_account u ON u.id = s.user_id
    WHERE ${condition} AND u.is_active AND s.expires_at > now()`.execute(em.getKysely());
  const [row] = rows;
  if (!row) return undefined;
  const actor = { ...actorOf(row), session: row.session_id };
  const session = { id: row.session_id, isConfirmed: row.is_confirmed, isOutdated: row.rights !== rightsOf(actor) };
  return { actor, session, stale: row.stale };
}

/** Finds the owner of a running session by the hash of its id, if the user is active. */
export const findSessionOwner = (em: EntityManager, hash: Buffer): Promise<SessionOwner | undefined> =>
  findOwner(em, sql`(s.hash = ${hash} OR (s.previous_hash = ${hash} AND s.previous_until > now()))`);

/** Finds the owner of a running session by its number, if the user is active. */
export const findOwnerOfSession = (em: EntityManager, id: number): Promise<SessionOwner | undefined> =>
  findOwner(em, sql`s.id = ${id}`);

/** The caller's organization, and when the credential of the request expires, in the form of the API. */
export interface CredentialDetails {
  readonly organization: { readonly id: number; readonly name: string };
  readonly expires: string | null;
}

/** Finds the details of the session or token that authenticated a request; without either, it does not expire. */
export async function findCredentialDetails(
  em: EntityManager,
  actor: Actor,
  token: number | undefined,
): Promise<CredentialDetails> {
  const { id, name, expires } = await tables(em, Organization)
    .selectFrom('organization')
    .select(['id', 'name', isoTime(expiryOf(actor, token)).$castTo<string | null>().as('expires')])
    .where('id', '=', actor.organizationId)
    .executeTakeFirstOrThrow();
  return { organization: { id, name }, expires };
}

function expiryOf({ session }: Actor, token: number | undefined): Sql {
  if (session !== undefined) return sql`(SELECT expires_at FROM user_session WHERE id = ${session})`;
  if (token !== undefined) return sql`(SELECT expires_at FROM api_token WHERE id = ${token})`;
  return sql`NULL::timestamptz`;
}
