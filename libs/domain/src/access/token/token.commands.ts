import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { hashToken, newTokenText, publicIdOf, tokenPublicId } from '#platform/crypto/token.js';
import type { Verb } from '../../activity/activities.js';
import { recordActivity } from '../../activity/activity.js';
import { type Actor, fullName } from '../../kernel/actor.js';
import { userItemId } from '../../kernel/item-id.js';
import { Invalid, NotFound } from '../../kernel/domain-errors.js';
import { now, tables } from '../../kernel/tables.js';
import { EVERYTHING, type TokenLimits } from '../../kernel/token-scopes.js';
import { User } from '../user/user.entity.js';
import { ApiToken, InstalledToken } from './token.entity.js';
import { EXPIRED_TOKEN_DAYS, type TokenInput } from './token.fields.js';
import {
  assertMayCreateTokenFor,
  assertTokenPolicy,
  assertVisibleProjects,
  assertWithinLimits,
} from './token-limits.js';
import { numericId } from '../../kernel/row-to-change.js';

/** A token that was just created. Its text is not stored and is only shown now. */
export interface NewToken {
  readonly id: number;
  readonly token: string;
}

/**
 * The stored columns for a token's text, which itself is never stored. The prefix may be shown; tokens of another form
 * have none.
 */
function storedColumnsOf(token: string): { public_id: string; prefix: string | null; hash: Buffer } {
  const own = tokenPublicId(token);
  return { public_id: publicIdOf(token), prefix: own === undefined ? null : `mrl_${own}`, hash: hashToken(token) };
}

interface Owner {
  readonly userId: number;
  readonly name: string;
}

interface NamedToken {
  readonly name: string;
}

/** Finds a user of the actor's organization. Throws `NotFound`. */
async function ownerOf(em: EntityManager, actor: Actor, userId: number): Promise<Owner> {
  const user = await tables(em, User)
    .selectFrom('user_account')
    .select(['first_name', 'last_name'])
    .where('id', '=', userId)
    .where('organization_id', '=', actor.organizationId)
    .executeTakeFirst();
  if (!user) throw new NotFound();
  return { userId, name: fullName(user.first_name, user.last_name) };
}

/** Records activities about tokens, with their names but never their texts. */
async function record(
  em: EntityManager,
  actor: Actor,
  verb: Verb,
  owner: Owner,
  ...tokens: readonly NamedToken[]
): Promise<void> {
  const activityInputs = tokens.map(({ name }) => ({
    subject: 'token' as const,
    verb,
    id: userItemId(owner.userId),
    title: owner.name,
    details: { token_desc: name },
  }));
  await recordActivity(em, actor, ...activityInputs);
}

/** Throws `Invalid` if an expiry is later than that of the token that authenticated the request; null means never. */
async function assertExpiryWithinCaller(
  em: EntityManager,
  callerToken: number | undefined,
  expires: string | null,
): Promise<void> {
  if (callerToken === undefined) return;
  const withinCaller = await tables(em, ApiToken)
    .selectFrom('api_token')
    .select('id')
    .where('id', '=', callerToken)
    .where(sql<boolean>`coalesce(expires_at, 'infinity') >= coalesce(${expires}::timestamptz, 'infinity')`)
    .executeTakeFirst();
  if (!withinCaller)
    throw new Invalid({ expires: ['This must not be later than the expiry of the token used for the request.'] });
}

async function assertFuture(em: EntityManager, expires: string | null): Promise<void> {
  // Stryker disable next-line ConditionalExpression: for the database too, null is not in the past.
  if (expires === null) return;
  const { rows } = await sql<{ past: boolean }>`SELECT ${expires}::timestamptz <= now() AS past`.execute(
    em.getKysely(),
  );
  if (rows[0]?.past) throw new Invalid({ expires: ['This time is in the past.'] });
}

/**
 * Creates a token for a user of the actor's organization. `callerToken` is the id of the token that authenticated the
 * request, if any: the new one must not outlive it, and must not be good for more. Throws `NotFound`, `Invalid`, and
 * `Forbidden` if the actor may not act as that user.
 */
export async function createToken(
  em: EntityManager,
  actor: Actor,
  ownerId: string,
  input: TokenInput,
  callerToken?: number,
): Promise<NewToken> {
  const owner = await ownerOf(em, actor, numericId(ownerId));
  await assertMayCreateTokenFor(em, actor, ownerId);
  const expires = input.expires ?? null;
  const limits: TokenLimits = { scopes: input.scopes ?? [EVERYTHING], projects: input.projects ?? null };
  assertWithinLimits(actor, limits);
  await assertVisibleProjects(em, actor, limits);
  await assertFuture(em, expires);
  await assertExpiryWithinCaller(em, callerToken, expires);
  await assertTokenPolicy(em, actor, limits, expires);
  const token = newTokenText();
  const { id } = await tables(em, ApiToken)
    .insertInto('api_token')
    .values({
      user_id: owner.userId,
      name: input.name,
      ...storedColumnsOf(token),
      scopes: [...limits.scopes].sort(),
      project_ids: limits.projects && [...new Set(limits.projects)].sort((one, other) => one - other),
      expires_at: expires,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(em, actor, 'Created', owner, input);
  return { id, token };
}

/**
 * Replaces the text of one of the actor's own tokens; the old text stops working. Everything else is kept. For
 * `callerToken`, see `createToken`. Throws `NotFound`, and `Invalid` for a token that outlives the caller's, that is
 * good for more, or that has expired and would remain unusable.
 */
export async function regenerateToken(
  em: EntityManager,
  actor: Actor,
  id: string,
  callerToken?: number,
): Promise<NewToken> {
  const token = newTokenText();
  const changed = await tables(em, ApiToken)
    .updateTable('api_token')
    .set({ ...storedColumnsOf(token), last_used_at: null, last_used_address: null })
    .where('id', '=', numericId(id))
    .where('user_id', '=', actor.id)
    .returning((row) => ['name', 'scopes', 'project_ids', 'expires_at', row('expires_at', '<=', now).as('expired')])
    .executeTakeFirst();
  if (!changed) throw new NotFound();
  if (changed.expired) throw new Invalid({ non_field_errors: ['This token has expired. Create a new one.'] });
  assertWithinLimits(actor, { scopes: changed.scopes, projects: changed.project_ids });
  await assertExpiryWithinCaller(em, callerToken, changed.expires_at);
  await record(em, actor, 'Regenerated', await ownerOf(em, actor, actor.id), changed);
  return { id: Number(id), token };
}

/** Deletes a token, by default one of the actor's own. Throws `NotFound`. */
export async function revokeToken(em: EntityManager, actor: Actor, id: string, userId = actor.id): Promise<void> {
  const owner = await ownerOf(em, actor, userId);
  const deleted = await tables(em, ApiToken)
    .deleteFrom('api_token')
    .where('id', '=', numericId(id))
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst();
  if (!deleted) throw new NotFound();
  await record(em, actor, 'Revoked', owner, deleted);
}

/** Deletes all tokens of a user of the actor's organization. Throws `NotFound` if there is no such user. */
export async function revokeTokensOf(em: EntityManager, actor: Actor, userId: number): Promise<void> {
  const owner = await ownerOf(em, actor, userId);
  const deleted = await tables(em, ApiToken)
    .deleteFrom('api_token')
    .where('user_id', '=', userId)
    .returning('name')
    .execute();
  await record(em, actor, 'Revoked', owner, ...deleted);
}

/**
 * Adds the token from the deployment's settings. It is remembered after its deletion, so that one that its owner has
 * revoked or regenerated is not restored at the next start. Returns whether it was added.
 */
export async function installToken(
  em: EntityManager,
  actor: Actor,
  userId: number,
  name: string,
  token: string,
): Promise<boolean> {
  const storedColumns = storedColumnsOf(token);
  const database = tables(em, ApiToken, InstalledToken);
  const isNew = await database
    .insertInto('installed_token')
    .values({ hash: storedColumns.hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst();
  if (!isNew) return false;
  const added = await database
    .insertInto('api_token')
    .values({ user_id: userId, name, ...storedColumns })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('name')
    .executeTakeFirst();
  if (!added) return false;
  await record(em, actor, 'Created', await ownerOf(em, actor, userId), added);
  return true;
}

/** Deletes tokens of all users that expired more than `EXPIRED_TOKEN_DAYS` days ago; returns their number. */
export async function deleteExpiredTokens(em: EntityManager): Promise<number> {
  const { numDeletedRows } = await tables(em, ApiToken)
    .deleteFrom('api_token')
    .where('expires_at', '<', sql<string>`now() - make_interval(days => ${EXPIRED_TOKEN_DAYS})`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
