import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { type Actor, fullName } from '../../kernel/actor.js';
import { OPERATOR_ID, operatorOf } from '../../kernel/operator.js';
import type { Permission } from '../../kernel/permissions.js';

interface ActorRow {
  readonly user_id: number;
  readonly organization_id: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly is_superuser: boolean;
  readonly permissions: Permission[];
  readonly flags: string[];
}

/** The permissions of the user `u`, from their own role and those of their groups. */
export const effectivePermissions: Sql = sql`ARRAY(SELECT DISTINCT unnest(r.permissions) FROM global_role r
  WHERE r.id = u.role_id OR r.id IN (
    SELECT g.role_id FROM user_group g JOIN group_member m ON m.group_id = g.id WHERE m.user_id = u.id))`;

const actorColumns: Sql = sql`u.id AS user_id, u.organization_id, u.first_name, u.last_name, u.is_superuser,
  ${effectivePermissions} AS permissions,
  ARRAY(SELECT f.name FROM feature_flag f WHERE f.organization_id = u.organization_id) AS flags`;

const actorOf = (row: ActorRow): Actor => ({
  id: row.user_id,
  organizationId: row.organization_id,
  name: fullName(row.first_name, row.last_name),
  isSuperUser: row.is_superuser,
  permissions: new Set(row.permissions),
  flags: new Set(row.flags),
});

/** The owner of a valid token. `stale` means that the time of the token's last use has to be updated. */
export interface TokenOwner {
  readonly actor: Actor;
  readonly tokenId: number;
  readonly hash: Buffer;
  readonly stale: boolean;
}

/** Finds the owners of unexpired tokens with this public id whose user is active. */
export async function findTokenOwners(em: EntityManager, publicId: string): Promise<TokenOwner[]> {
  const { rows } = await sql<ActorRow & { token_id: number; hash: Buffer; stale: boolean }>`
    SELECT ${actorColumns}, t.id AS token_id, t.hash,
      coalesce(t.last_used_at < now() - interval '1 minute', true) AS stale
    FROM api_token t JOIN user_account u ON u.id = t.user_id
    WHERE t.public_id = ${publicId} AND u.is_active AND (t.expires_at IS NULL OR t.expires_at > now())`.execute(
    em.getKysely(),
  );
  return rows.map((row) => ({ actor: actorOf(row), tokenId: row.token_id, hash: row.hash, stale: row.stale }));
}

/**
 * Updates a token's last use, at most once a minute, so that not every request writes. A token that was regenerated
 * meanwhile has another hash, and has not been used.
 */
export async function recordTokenUse(em: EntityManager, { tokenId, hash }: TokenOwner): Promise<void> {
  await sql`UPDATE api_token SET last_used_at = now() WHERE id = ${tokenId} AND hash = ${hash}
    AND coalesce(last_used_at < now() - interval '1 minute', true)`.execute(em.getKysely());
}

/** An active user who can sign in with a password. */
export interface PasswordOwner {
  readonly actor: Actor;
  readonly passwordHash: string | null;
  /** Whether they have signed in from this address before. */
  readonly addressIsKnown: boolean;
}

/** Finds the active user with an e-mail address, ignoring case; null if there is none. */
export async function findPasswordOwner(
  em: EntityManager,
  email: string,
  address: string,
): Promise<PasswordOwner | null> {
  const { rows } = await sql<ActorRow & { password_hash: string | null; address_is_known: boolean }>`
    SELECT ${actorColumns}, u.password_hash,
      EXISTS (SELECT 1 FROM sign_in_address a WHERE a.user_id = u.id AND a.address = ${address}) AS address_is_known
    FROM user_account u WHERE lower(u.email) = lower(${email}) AND u.is_active`.execute(em.getKysely());
  if (!rows[0]) return null;
  const { password_hash: passwordHash, address_is_known: addressIsKnown } = rows[0];
  return { actor: actorOf(rows[0]), passwordHash, addressIsKnown };
}

/** Maximum number of remembered addresses per user: those of the latest sign-ins. */
const KNOWN_ADDRESSES = 20;

/** Records a user's sign-in with their password, and its address. */
export async function recordSignIn(em: EntityManager, userId: number, address: string): Promise<void> {
  await sql`
    WITH login AS (UPDATE user_account SET last_login_at = now() WHERE id = ${userId}),
      used AS (
        INSERT INTO sign_in_address (user_id, address) VALUES (${userId}, ${address})
        ON CONFLICT (user_id, address) DO UPDATE SET last_used_at = clock_timestamp())
    DELETE FROM sign_in_address WHERE (user_id, address) IN (
      SELECT user_id, address FROM sign_in_address WHERE user_id = ${userId} AND address <> ${address}
      ORDER BY last_used_at DESC OFFSET ${KNOWN_ADDRESSES - 1})`.execute(em.getKysely());
}

/** Finds an active user of the organization as an actor; null if there is none. */
export async function findActiveActor(
  em: EntityManager,
  userId: number,
  organizationId: number,
): Promise<Actor | null> {
  const { rows } = await sql<ActorRow>`
    SELECT ${actorColumns} FROM user_account u
    WHERE u.id = ${userId} AND u.organization_id = ${organizationId} AND u.is_active`.execute(em.getKysely());
  return rows[0] ? actorOf(rows[0]) : null;
}

/** The actor of a job: its user, or the operator, with the flags that are on in the organization. */
export async function findJobActor(em: EntityManager, userId: number, organizationId: number): Promise<Actor> {
  const user = userId === OPERATOR_ID ? null : await findActor(em, userId);
  if (user) return user;
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM feature_flag WHERE organization_id = ${organizationId}`.execute(em.getKysely());
  return { ...operatorOf(organizationId), flags: new Set(rows.map(({ name }) => name)) };
}

/** Finds a user as an actor, for work outside of a request; null if there is none. */
export async function findActor(em: EntityManager, userId: number): Promise<Actor | null> {
  const { rows } = await sql<ActorRow>`SELECT ${actorColumns} FROM user_account u WHERE u.id = ${userId}`.execute(
    em.getKysely(),
  );
  return rows[0] ? actorOf(rows[0]) : null;
}
