import type { EntityManager } from '@mikro-orm/postgresql';
import { lockRule } from '../../kernel/lock.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { installToken } from '../token/token.commands.js';
import { setPassword } from '../user/password.commands.js';
import { createOrganization } from '../organization/organization.commands.js';
import { equalsIgnoringCase, tables } from '../../kernel/tables.js';
import { User } from '../user/user.entity.js';
import { findOrganizations } from '../organization/find-organization.js';
import { operatorOf } from '../../kernel/operator.js';

/** The operator's settings for the first super-user. */
export interface FirstAdmin {
  readonly email: string;
  readonly token: string | undefined;
  readonly password: string | undefined;
}

/** The result of setting up the deployment. */
export interface SetUp {
  /** Whether the database was empty. */
  readonly fresh: boolean;
  readonly organizationId: number;
  readonly userId: number;
  readonly tokenAdded: boolean;
}

const FIRST_ORGANIZATION = 'Default';

/**
 * Creates the first organization, its super-user and their token in an empty database. In any other, it only adds the
 * token if it is new. Several processes may call it at the same time. Throws `Invalid` if the first token is missing or
 * the password is invalid; the password is only checked in an empty database.
 */
export async function setUpDeployment(em: EntityManager, admin: FirstAdmin): Promise<SetUp> {
  await lockRule(em, 'installation');
  const [first] = await findOrganizations(em, 1);
  const fresh = first === undefined;
  if (fresh && admin.token === undefined)
    throw new Invalid({ ADMIN_TOKEN: ['must be set: this database is empty, so no one could sign in.'] });
  const owner = fresh ? await makeFirst(em, admin) : await findOwner(em, first.id, admin.email);
  const actor = operatorOf(owner.organizationId);
  const tokenAdded =
    admin.token !== undefined && (await installToken(em, actor, owner.userId, 'Installation', admin.token));
  return { fresh, ...owner, tokenAdded };
}

type Owner = Pick<SetUp, 'organizationId' | 'userId'>;

async function makeFirst(em: EntityManager, { email, password }: FirstAdmin): Promise<Owner> {
  const owner = await createOrganization(em, {
    name: FIRST_ORGANIZATION,
    admin: { email, first_name: 'Admin', last_name: 'User' },
  });
  if (password !== undefined)
    await setPassword(em, operatorOf(owner.organizationId), owner.userId, password, { field: 'ADMIN_PASSWORD' });
  return owner;
}

/** Finds the super-user of the first organization with the operator's e-mail address, else the oldest super-user. */
async function findOwner(em: EntityManager, organizationId: number, email: string): Promise<Owner> {
  const owner = await tables(em, User)
    .selectFrom('user_account')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('is_superuser', '=', true)
    .where('is_active', '=', true)
    .orderBy(equalsIgnoringCase('user_account.email', email), 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!owner) throw new Error('The first organization has no active super-user.');
  return { organizationId, userId: owner.id };
}
