import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { lockRule } from '../../kernel/lock.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { installToken } from '../token/token.commands.js';
import { setPassword } from '../user/password.commands.js';
import { createOrganization } from './organization.commands.js';
import { operatorOf } from '../../kernel/operator.js';

/** What the operator says of the first super-user. */
export interface FirstAdmin {
  readonly email: string;
  readonly token: string | undefined;
  readonly password: string | undefined;
}

/** What was found or made. */
export interface SetUp {
  /** Whether the database was empty. */
  readonly fresh: boolean;
  readonly organizationId: number;
  readonly userId: number;
  readonly tokenAdded: boolean;
}

const FIRST_ORGANIZATION = 'Default';

/**
 * Makes the first organization, its super-user and their token in an empty database. In any other, it adds the token
 * where it is a new one. Several processes may do so at once. Throws `Invalid` where the first token is
 * missing, or the password breaks the rules of passwords; it is looked at in an empty database alone.
 */
export async function setUpInstallation(em: EntityManager, admin: FirstAdmin): Promise<SetUp> {
  await lockRule(em, 'installation');
  const { rows } = await sql`SELECT 1 FROM organization LIMIT 1`.execute(em.getKysely());
  const fresh = rows.length === 0;
  if (fresh && admin.token === undefined)
    throw new Invalid({ ADMIN_TOKEN: ['must be set: this database is empty, and nobody could get in.'] });
  const owner = fresh ? await makeFirst(em, admin) : await findOwner(em, admin.email);
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

/** The super-user of the first organization whom the operator names by e-mail, else the oldest one. */
async function findOwner(em: EntityManager, email: string): Promise<Owner> {
  const { rows } = await sql<{ id: string; organization_id: string }>`
    SELECT id, organization_id FROM user_account
    WHERE organization_id = (SELECT min(id) FROM organization) AND is_superuser AND is_active
    ORDER BY lower(email) = lower(${email}) DESC, id LIMIT 1`.execute(em.getKysely());
  if (!rows[0]) throw new Error('The first organization has no active super-user.');
  return { organizationId: Number(rows[0].organization_id), userId: Number(rows[0].id) };
}
