import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { NUMERIC_ID } from '../../kernel/item-id.js';

/** An organization as the command line shows it. */
export interface Organization {
  readonly id: number;
  readonly name: string;
}

/** An organization by its name, or by its number where none has that name; null where there is none. For the operator alone. */
export async function findOrganization(em: EntityManager, nameOrId: string): Promise<Organization | null> {
  const id = NUMERIC_ID.test(nameOrId) ? nameOrId : null;
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM organization WHERE name = ${nameOrId} OR id = ${id}::bigint
    ORDER BY name = ${nameOrId} DESC LIMIT 1`.execute(em.getKysely());
  return rows[0] ? { id: Number(rows[0].id), name: rows[0].name } : null;
}

/** The oldest organizations. For the operator alone. */
export async function findOrganizations(em: EntityManager, limit: number): Promise<Organization[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM organization ORDER BY id LIMIT ${limit}`.execute(em.getKysely());
  return rows.map(({ id, name }) => ({ id: Number(id), name }));
}
