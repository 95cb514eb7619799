import type { EntityManager } from '@mikro-orm/postgresql';
import { type InferResult, sql } from 'kysely';
import { type Actor, fullName } from '../../kernel/actor.js';
import { OPERATOR_ID, operatorOf } from '../../kernel/operator.js';
import type { Permission } from '../../kernel/permissions.js';
import { limitedActor, type TokenScope } from '../../kernel/token-scopes.js';
import { clockTime, equalsIgnoringCase, now, tables } from '../../kernel/tables.js';
import { FeatureFlag } from '../flag/flag.entity.js';
import { SignInAddress } from '../sign-in/sign-in.entity.js';
import { User } from './user.entity.js';

/** The permissions of the user `u`, from their own role and those of their groups. */
export const effectivePermissions = sql<Permission[]>`ARRAY(SELECT DISTINCT unnest(r.permissions) FROM global_role r
  WHERE r.id = u.role_id OR r.id IN (
    SELECT g.role_id FROM user_group g JOIN group_member m ON m.group_id = g.id WHERE m.user_id = u.id))`;

const flags = sql<string[]>`ARRAY(SELECT f.name FROM feature_flag f WHERE f.organization_id = u.organization_id)`;

const USER_COLUMNS = ['u.id', 'u.organization_id', 'u.first_name', 'u.last_name', 'u.is_superuser'] as const;
const RIGHTS = [effectivePermissions.as('permissions'), flags.as('flags')] as const;
/** The columns of actors, from users `u`. */
export const actorColumns = sql.join([...USER_COLUMNS.map((column) => sql.ref(column)), ...RIGHTS]);

/** Users `u` with the columns of actors. */
const selectActors = (em: EntityManager) =>
  tables(em, User, SignInAddress).selectFrom('user_account as u').select(USER_COLUMNS).select(RIGHTS);

export type ActorRow = InferResult<ReturnType<typeof selectActors>>[number];

export const actorOf = (row: ActorRow): Actor => ({
  id: row.id,
  organizationId: row.organization_id,
  name: fullName(row.first_name, row.last_name),
  isSuperUser: row.is_superuser,
  permissions: new Set(row.permissions),
  flags: new Set(row.flags),
});

/** The owner of a valid token. `stale` means that the time of the token's last use has to be updated. */
export interface TokenOwner {
  readonly actor: Actor;
  readonly token: TokenIds;
  readonly hash: Buffer;
  readonly stale: boolean;
}

/** A token's id, and its public id, which changes when the token is regenerated. */
export interface TokenIds {
  readonly id: number;
  readonly publicId: string;
}

interface TokenRow extends ActorRow {
  readonly token_id: number;
  readonly hash: Buffer;
  readonly scopes: readonly TokenScope[];
  readonly project_ids: readonly number[] | null;
  readonly stale: boolean;
  readonly expires: boolean;
}

/** Finds the owners of unexpired tokens with this public id whose user is active. They may do what the token allows. */
export async function findTokenOwners(em: EntityManager, publicId: string): Promise<TokenOwner[]> {
  const { rows } = await sql<TokenRow>`
    SELECT ${actorColumns}, t.id AS token_id, t.hash, t.scopes, t.project_ids, t.expires_at IS NOT NULL AS expires,
      coalesce(t.last_used_at < now() - interval '1 minute', true) AS stale
    FROM api_token t JOIN user_account u ON u.id = t.user_id
    WHERE t.public_id = ${publicId} AND u.is_active AND (t.expires_at IS NULL OR t.expires_at > now())`.execute(
    em.getKysely(),
  );
  return rows.map((row) => ({
    actor: {
      ...limitedActor(actorOf(row), { scopes: row.scopes, projects: row.project_ids?.map(Number) ?? null }),
      tokenExpires: row.expires,
    },
    token: { id: row.token_id, publicId },
    hash: row.hash,
    stale: row.stale,
  }));
}

/**
 * Updates a token's last use and the client's address, at most once a minute, so that not every request writes. A token
 * that was regenerated meanwhile has another hash, and has not been used.
 */
export async function recordTokenUse(em: EntityManager, { token, hash }: TokenOwner, address: string): Promise<void> {
  await sql`UPDATE api_token SET last_used_at = now(), last_used_address = ${address}
    WHERE id = ${token.id} AND hash = ${hash} AND coalesce(last_used_at < now() - interval '1 minute', true)`.execute(
    em.getKysely(),
  );
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
  const row = await selectActors(em)
    .select((user) => [
      'u.password_hash',
      user
        .exists(
          user
            .selectFrom('sign_in_address as a')
            .select('a.address')
            .whereRef('a.user_id', '=', 'u.id')
            .where('a.address', '=', address),
        )
        .as('address_is_known'),
    ])
    .where(equalsIgnoringCase('u.email', email))
    .where('u.is_active', '=', true)
    .where('u.is_service_account', '=', false)
    .executeTakeFirst();
  if (!row) return null;
  return { actor: actorOf(row), passwordHash: row.password_hash, addressIsKnown: row.address_is_known === true };
}

/** Maximum number of remembered addresses per user: those of the latest sign-ins. */
const KNOWN_ADDRESSES = 20;

/** Records a user's sign-in with their password, and its address. */
export async function recordSignIn(em: EntityManager, userId: number, address: string): Promise<void> {
  await tables(em, User, SignInAddress)
    .with('login', (database) =>
      database.updateTable('user_account').set({ last_login_at: now }).where('id', '=', userId),
    )
    .with('used', (database) =>
      database
        .insertInto('sign_in_address')
        .values({ user_id: userId, address })
        .onConflict((conflict) => conflict.columns(['user_id', 'address']).doUpdateSet({ last_used_at: clockTime })),
    )
    .deleteFrom('sign_in_address')
    .where('user_id', '=', userId)
    .where('address', 'in', (query) =>
      query
        .selectFrom('sign_in_address')
        .select('address')
        .where('user_id', '=', userId)
        .where('address', '<>', address)
        .orderBy('last_used_at', 'desc')
        .offset(KNOWN_ADDRESSES - 1),
    )
    .execute();
}

/** The actor of a job: its user, or the operator, with the flags that are on in the organization. */
export async function findJobActor(em: EntityManager, userId: number, organizationId: number): Promise<Actor> {
  const user = userId === OPERATOR_ID ? null : await findActor(em, userId);
  if (user) return user;
  const rows = await tables(em, FeatureFlag)
    .selectFrom('feature_flag')
    .select('name')
    .where('organization_id', '=', organizationId)
    .execute();
  return { ...operatorOf(organizationId), flags: new Set(rows.map(({ name }) => name)) };
}

/** Finds a user as an actor, for work outside of a request; null if there is none. */
export async function findActor(em: EntityManager, userId: number): Promise<Actor | null> {
  const row = await selectActors(em).where('u.id', '=', userId).executeTakeFirst();
  return row ? actorOf(row) : null;
}
