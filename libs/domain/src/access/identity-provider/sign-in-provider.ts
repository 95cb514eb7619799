import type { EntityManager } from '@mikro-orm/postgresql';
import { primaryKeyOf } from '../../kernel/item-id.js';
import { now, tables } from '../../kernel/tables.js';
import { Role } from '../role/role.entity.js';
import { IdentityProvider, SignInAttempt } from './identity-provider.entity.js';
import { SIGN_IN_MINUTES } from './identity-provider.rules.js';
import { sql } from 'kysely';

const selectProviders = (em: EntityManager) =>
  tables(em, IdentityProvider, Role)
    .selectFrom('identity_provider as i')
    .innerJoin('global_role as r', 'r.id', 'i.default_role_id')
    .select([
      'i.id',
      'i.organization_id as organizationId',
      'i.name',
      'i.issuer',
      'i.client_id as clientId',
      'i.sealed_client_secret as sealedClientSecret',
      'i.scopes',
      'i.create_users as createUsers',
      'r.item_id as defaultRole',
      'i.domains',
      'i.claims',
      'i.group_mappings as groupMappings',
      'i.active',
    ]);

/** A provider, as a sign-in needs it. */
export type SignInProvider = Awaited<ReturnType<ReturnType<typeof selectProviders>['execute']>>[number];

/** Finds a provider of any organization: who signs in has none yet. */
export async function findSignInProvider(em: EntityManager, id: string): Promise<SignInProvider | undefined> {
  const key = primaryKeyOf(id);
  return key === undefined ? undefined : selectProviders(em).where('i.id', '=', key).executeTakeFirst();
}

/** The active providers of all organizations, by name. */
export const listActiveProviders = (em: EntityManager): Promise<{ id: number; name: string }[]> =>
  tables(em, IdentityProvider)
    .selectFrom('identity_provider')
    .select(['id', 'name'])
    .where('active', '=', true)
    .orderBy((row) => row.fn('lower', ['name']))
    .orderBy('id')
    .execute();

/** A sign-in that a browser begins, with the hashes of its state and of the secret of the browser. */
export interface NewAttempt {
  readonly stateHash: Buffer;
  readonly browserHash: Buffer;
  readonly providerId: number;
  /** A path of the service, to which the browser returns. */
  readonly returnTo: string;
  /** Of the invitation that the person accepts by signing in. */
  readonly invitationHash: Uint8Array | null;
  /** The session that the person confirms by signing in again. */
  readonly sessionId: number | null;
}

/** An attempt that a browser completes. */
export interface UsedAttempt extends Pick<NewAttempt, 'returnTo' | 'invitationHash' | 'sessionId'> {
  /** Seconds since 1970. */
  readonly begun: number;
}

/** Remembers that a browser has begun to sign in. */
export async function beginAttempt(em: EntityManager, attempt: NewAttempt): Promise<void> {
  await tables(em, SignInAttempt)
    .insertInto('sign_in_attempt')
    .values({
      state_hash: attempt.stateHash,
      browser_hash: attempt.browserHash,
      provider_id: attempt.providerId,
      return_to: attempt.returnTo,
      invitation_hash: attempt.invitationHash,
      session_id: attempt.sessionId,
      expires_at: sql<string>`now() + make_interval(mins => ${SIGN_IN_MINUTES})`,
    })
    .execute();
}

/** Finds the provider of a sign-in that this browser has begun; undefined if there is none, or if it has expired. */
export async function findAttempt(
  em: EntityManager,
  { stateHash, browserHash }: Pick<NewAttempt, 'stateHash' | 'browserHash'>,
): Promise<SignInProvider | undefined> {
  const attempt = await tables(em, SignInAttempt)
    .selectFrom('sign_in_attempt')
    .select('provider_id')
    .where('state_hash', '=', stateHash)
    .where('browser_hash', '=', browserHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return attempt && findSignInProvider(em, String(attempt.provider_id));
}

/** Ends an attempt, so that it works only once; returns undefined if it was already used. */
export async function useAttempt(em: EntityManager, stateHash: Buffer): Promise<UsedAttempt | undefined> {
  return tables(em, SignInAttempt)
    .deleteFrom('sign_in_attempt')
    .where('state_hash', '=', stateHash)
    .returning([
      'return_to as returnTo',
      'invitation_hash as invitationHash',
      'session_id as sessionId',
      sql<number>`extract(epoch FROM expires_at - make_interval(mins => ${SIGN_IN_MINUTES}))::float8`.as('begun'),
    ])
    .executeTakeFirst();
}

/** Deletes expired attempts of all providers; returns their number. */
export async function deleteExpiredAttempts(em: EntityManager): Promise<number> {
  const { numDeletedRows } = await tables(em, SignInAttempt)
    .deleteFrom('sign_in_attempt')
    .where('expires_at', '<', now)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
