import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { BUILT_IN_ROLES } from './role.rules.js';

/** Inserts the built-in roles, and updates existing ones to this release. */
export async function ensureBuiltInRoles(em: EntityManager): Promise<void> {
  await sql`
    INSERT INTO global_role (number, name, description, permissions)
    SELECT number, name, description, permissions
    FROM json_to_recordset(${JSON.stringify(BUILT_IN_ROLES)}::json) AS r(number int, name text, description text,
      permissions text[])
    ON CONFLICT (item_id, organization_id) DO UPDATE
    SET name = excluded.name, description = excluded.description, permissions = excluded.permissions`.execute(
    em.getKysely(),
  );
}
