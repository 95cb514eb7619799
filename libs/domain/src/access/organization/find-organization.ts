import type { EntityManager } from '@mikro-orm/postgresql';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { tables } from '../../kernel/tables.js';
import { Organization as OrganizationTable } from './organization.entity.js';

/** An organization as the command line shows it. */
export interface Organization {
  readonly id: number;
  readonly name: string;
}

/** Finds an organization by name, or by number if none has that name; null if there is none. Only for the operator. */
export async function findOrganization(em: EntityManager, nameOrId: string): Promise<Organization | null> {
  const organization = await tables(em, OrganizationTable)
    .selectFrom('organization')
    .select(['id', 'name'])
    .where((row) =>
      row.or([row('name', '=', nameOrId), ...(NUMERIC_ID.test(nameOrId) ? [row('id', '=', Number(nameOrId))] : [])]),
    )
    .orderBy((row) => row('name', '=', nameOrId), 'desc')
    .limit(1)
    .executeTakeFirst();
  return organization ?? null;
}

/** Lists the oldest organizations. Only for the operator. */
export function findOrganizations(em: EntityManager, limit: number): Promise<Organization[]> {
  return tables(em, OrganizationTable)
    .selectFrom('organization')
    .select(['id', 'name'])
    .orderBy('id')
    .limit(limit)
    .execute();
}
