import type { EntityManager } from '@mikro-orm/postgresql';
import { raise } from '../../kernel/domain-events.js';
import { activateDefaultFlags } from '../flag/flag.commands.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { ADMINISTRATOR_ROLE } from '../role/role.rules.js';
import { createUser } from '../user/user.commands.js';
import { tables } from '../../kernel/tables.js';
import { organizationCreated } from '../events/access.events.js';
import { Organization } from './organization.entity.js';
import { operatorOf } from '../../kernel/operator.js';

/** Unicode code points of an organization's name. */
export const MAX_ORGANIZATION_NAME_LENGTH = 200;

const NAME_TAKEN = 'An organization with this name already exists.';

/** A new organization and its first super-user, already validated by shape. */
export interface OrganizationInput {
  readonly name: string;
  readonly admin: { readonly email: string; readonly first_name: string; readonly last_name: string };
}

/** Creates an organization with its first super-user and the default flags. Throws `Invalid`. */
export async function createOrganization(
  em: EntityManager,
  { name, admin }: OrganizationInput,
): Promise<{ organizationId: number; userId: number }> {
  const organization = await tables(em, Organization)
    .insertInto('organization')
    .values({ name })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!organization) throw new Invalid({ name: [NAME_TAKEN] });
  const organizationId = organization.id;
  await activateDefaultFlags(em, organizationId);
  await raise(em, operatorOf(organizationId), organizationCreated, { organizationId });
  const userId = await createUser(em, operatorOf(organizationId), {
    ...admin,
    role: ADMINISTRATOR_ROLE,
    is_superuser: true,
  });
  return { organizationId, userId };
}

/** Renames an organization. Throws `Invalid` under `organization`. */
export async function renameOrganization(em: EntityManager, id: number, name: string): Promise<void> {
  const database = tables(em, Organization);
  const other = await database
    .selectFrom('organization')
    .select('id')
    .where('name', '=', name)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (other) throw new Invalid({ organization: [NAME_TAKEN] });
  await database.updateTable('organization').set({ name }).where('id', '=', id).execute();
}
