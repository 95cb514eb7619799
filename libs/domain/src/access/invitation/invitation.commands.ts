import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { hashToken, newSecret } from '#platform/crypto/token.js';
import { isoTime } from '#query/expressions.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import { type Actor, fullName } from '../../kernel/actor.js';
import { Forbidden, Invalid } from '../../kernel/domain-errors.js';
import { userItemId } from '../../kernel/item-id.js';
import { serviceOf } from '../../kernel/operator.js';
import { assertUnlimited } from '../../kernel/token-scopes.js';
import { rowToChange } from '../../kernel/row-to-change.js';
import { now, tables } from '../../kernel/tables.js';
import { lockAccess } from '../role/authority.js';
import { setPassword } from '../user/password.commands.js';
import { assertAuthorityOver } from '../user/super-users.js';
import { User } from '../user/user.entity.js';
import { Invitation } from './invitation.entity.js';

/** Hours for which an invitation works. */
export const INVITATION_HOURS = 24;

/** The user whom an invitation invites. */
export interface InvitedUser {
  readonly userId: number;
  readonly organizationId: number;
}

const activityOf = (
  { id, firstName, lastName }: Pick<User, 'id' | 'firstName' | 'lastName'>,
  verb: ActivityInput['verb'],
): ActivityInput => ({ subject: 'invitation', verb, id: userItemId(id), title: fullName(firstName, lastName) });

/** An invitation that was just made. */
export interface NewInvitation {
  /** Its secret, which is not stored. */
  readonly token: string;
  readonly expires: string;
  readonly email: string;
  readonly name: string;
}

/**
 * Creates an invitation of a user, which replaces the one before. Throws
 * `NotFound`, `Invalid`, and `Forbidden` for users with more permissions than the actor: with the link, the actor could
 * sign in as them.
 */
export async function createInvitation(em: EntityManager, actor: Actor, id: string): Promise<NewInvitation> {
  await lockAccess(em, actor);
  const user = await rowToChange(em, actor, User, id);
  await assertAuthorityOver(em, actor, user, {}, { actsAs: true });
  assertUnlimited(actor, 'who can sign in');
  if (actor.tokenExpires) throw new Forbidden('A token that expires cannot invite users.');
  if (!user.isActive) throw new Invalid({ non_field_errors: ['The user is not active. Activate them first.'] });
  if (user.isServiceAccount) throw new Invalid({ non_field_errors: ['A service account does not sign in.'] });
  const token = newSecret();
  const values = {
    hash: hashToken(token),
    expires_at: sql<string>`now() + make_interval(hours => ${INVITATION_HOURS})`,
  };
  const { expires } = await tables(em, Invitation)
    .insertInto('invitation')
    .values({ user_id: user.id, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .returning(
      isoTime(sql`expires_at`)
        .$castTo<string>()
        .as('expires'),
    )
    .executeTakeFirstOrThrow();
  await recordActivity(em, actor, activityOf(user, 'Created'));
  return { token, expires, email: user.email, name: fullName(user.firstName, user.lastName) };
}

/** Finds the user whom an invitation invites, in any organization. Throws `Invalid` if it can't be used. */
export async function findInvitedUser(em: EntityManager, token: string): Promise<InvitedUser> {
  const invited = await tables(em, Invitation, User)
    .selectFrom('invitation as i')
    .innerJoin('user_account as u', 'u.id', 'i.user_id')
    .select(['u.id as userId', 'u.organization_id as organizationId'])
    .where('i.hash', '=', hashToken(token))
    .where('i.expires_at', '>', now)
    .where('u.is_active', '=', true)
    .executeTakeFirst();
  if (invited) return invited;
  throw new Invalid({
    token: ['This invitation is not valid, has expired, or was used. Ask an administrator for another one.'],
  });
}

/** Uses an invitation up; returns the invited user of the organization, or undefined if it can't be used. */
export async function useInvitation(
  em: EntityManager,
  organizationId: number,
  hash: Uint8Array,
): Promise<number | undefined> {
  const used = await tables(em, Invitation)
    .deleteFrom('invitation')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('user_id as userId')
    .executeTakeFirst();
  if (!used) return undefined;
  const user = await em.findOne(User, { id: used.userId, organizationId, isActive: true });
  if (!user) return undefined;
  await recordActivity(em, serviceOf(organizationId), activityOf(user, 'Accepted'));
  return user.id;
}

/** Uses an invitation to set the user's password. Throws `Invalid`; the invitation can then be used again. */
export async function acceptWithPassword(
  em: EntityManager,
  { organizationId }: InvitedUser,
  token: string,
  password: string,
): Promise<void> {
  const userId = await useInvitation(em, organizationId, hashToken(token));
  if (userId === undefined) throw new Invalid({ token: ['This invitation was used meanwhile.'] });
  await setPassword(em, serviceOf(organizationId), userId, password);
}
