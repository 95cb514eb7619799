import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { hashToken, newSecret } from '#platform/crypto/token.js';
import { isoTime } from '#query/expressions.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { lockRule } from '../../kernel/lock.js';
import { operatorOf } from '../../kernel/operator.js';
import { equalsIgnoringCase, now, tables } from '../../kernel/tables.js';
import { findOrganizations } from '../organization/find-organization.js';
import { renameOrganization } from '../organization/organization.commands.js';
import { ADMINISTRATOR_ROLE } from '../role/role.rules.js';
import { setPassword } from '../user/password.commands.js';
import { createUser, updateUser } from '../user/user.commands.js';
import { User } from '../user/user.entity.js';
import { SetupLink } from './setup-link.entity.js';

/** Hours for which a setup link works. */
const SETUP_LINK_HOURS = 1;

/** The first super-user and the name of their organization, already validated by shape. */
export interface FirstSuperUser {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly password: string;
  readonly organization: string;
}

/**
 * Whether no one can sign in to the deployment, because no active user has a password or has signed in with an identity
 * provider that is active.
 */
export async function isSetupRequired(em: EntityManager): Promise<boolean> {
  const { rows } = await sql<{ required: boolean }>`SELECT NOT EXISTS (
    SELECT 1 FROM user_account u WHERE u.is_active AND (u.password_hash IS NOT NULL OR EXISTS (
      SELECT 1 FROM user_identity i JOIN identity_provider p ON p.id = i.provider_id
      WHERE i.user_id = u.id AND p.active))) AS required`.execute(em.getKysely());
  return rows[0]?.required === true;
}

/** Creates a setup link, which replaces the one before; returns its secret, which is not stored. */
export async function createSetupLink(em: EntityManager): Promise<{ token: string; expires: string }> {
  await lockRule(em, 'installation');
  const token = newSecret();
  const database = tables(em, SetupLink);
  await database.deleteFrom('setup_link').execute();
  const { expires } = await database
    .insertInto('setup_link')
    .values({
      hash: hashToken(token),
      expires_at: sql<string>`now() + make_interval(hours => ${SETUP_LINK_HOURS})`,
    })
    .returning(
      isoTime(sql`expires_at`)
        .$castTo<string>()
        .as('expires'),
    )
    .executeTakeFirstOrThrow();
  return { token, expires };
}

/** Throws `Invalid` unless the secret is that of a setup link that can be used now. */
export async function assertSetupLink(em: EntityManager, token: string): Promise<void> {
  const link = await tables(em, SetupLink)
    .selectFrom('setup_link')
    .select('expires_at')
    .where('hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (link && (await isSetupRequired(em))) return;
  throw new Invalid({
    token: ['This link is not valid, has expired, or was used. The command "admin setup-link" creates a new one.'],
  });
}

/**
 * Uses a setup link: renames the first organization, and makes the person its super-user. Returns their number. Throws
 * `Invalid`; the link can then be used again.
 */
export async function completeSetup(
  em: EntityManager,
  token: string,
  { organization: name, password, ...person }: FirstSuperUser,
): Promise<number> {
  await lockRule(em, 'installation');
  await assertSetupLink(em, token);
  const [organization] = await findOrganizations(em, 1);
  if (!organization) throw new Error('The database is not set up: it has no organization.');
  await renameOrganization(em, organization.id, name);
  await tables(em, SetupLink).deleteFrom('setup_link').execute();
  const operator = operatorOf(organization.id);
  const installed = await findInstalledUser(em, organization.id, person.email);
  if (installed === undefined)
    return createUser(em, operator, { ...person, password, role: ADMINISTRATOR_ROLE, is_superuser: true });
  await updateUser(em, operator, String(installed), { ...person, is_active: true });
  await setPassword(em, operator, installed, password);
  return installed;
}

/** The super-user that the first start has created, if the person chooses that e-mail address. */
async function findInstalledUser(
  em: EntityManager,
  organizationId: number,
  email: string,
): Promise<number | undefined> {
  const user = await tables(em, User)
    .selectFrom('user_account')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('is_superuser', '=', true)
    .where('password_hash', 'is', null)
    .where(equalsIgnoringCase('user_account.email', email))
    .executeTakeFirst();
  return user?.id;
}
