import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Database } from '#query/database.js';
import { ORGANIZATION_ROLE } from '../kernel/schema/policies.js';

/** For an administrator if this service may not create or grant the role; also in docs/operate/database-roles.md. */
const membership = (role: string): string => `GRANT ${ORGANIZATION_ROLE} TO "${role}" WITH INHERIT FALSE, SET TRUE;`;

const asAdministrator = (statements: string): Error =>
  new Error(`Row-level security needs a role. As an administrator of the database, run: ${statements}`);

/**
 * Creates the role that policies name. Several processes may call it at the same time, also for other databases of the
 * same server.
 */
export async function ensureOrganizationRole(em: EntityManager): Promise<void> {
  const database = em.getKysely();
  await sql
    .raw(
      `DO $$
      BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${ORGANIZATION_ROLE}') THEN
          CREATE ROLE ${ORGANIZATION_ROLE} NOLOGIN NOBYPASSRLS;
        END IF;
      EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN NULL;
      END $$`,
    )
    .execute(database);
  const { rows } = await sql`SELECT 1 FROM pg_roles WHERE rolname = ${ORGANIZATION_ROLE}`.execute(database);
  if (!rows.length)
    throw asAdministrator(`CREATE ROLE ${ORGANIZATION_ROLE} NOLOGIN; ${membership(await currentUser(database))}`);
}

/**
 * Grants a role the right to switch to the organization role, without inheriting from it: otherwise the policies of
 * bound transactions would apply to all its transactions.
 *
 * @throws Error with instructions for an administrator if this user may not grant it
 */
export async function grantOrganizationRole(database: Database, role: string): Promise<void> {
  if (!(await tryToGrantOrganizationRole(database, role))) throw asAdministrator(membership(role));
}

/** The same, but without an error if it is not permitted: an owner without that right can still migrate and restore. */
export async function tryToGrantOrganizationRoleToOwner(database: Database): Promise<void> {
  await tryToGrantOrganizationRole(database, await currentUser(database));
}

export async function currentUser(database: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`SELECT current_user::text AS name`.execute(database);
  return rows[0]?.name ?? '';
}

/** Grants the right to switch to the organization role if possible; returns whether the role has it now. */
async function tryToGrantOrganizationRole(database: Database, role: string): Promise<boolean> {
  const { rows } = await sql<{ ready: boolean; grantable: boolean; inherits: boolean }>`
    SELECT pg_has_role(r.oid, o.oid, 'SET') AS ready, pg_has_role(o.oid, 'MEMBER WITH ADMIN OPTION') AS grantable,
      NOT r.rolsuper AND pg_has_role(r.oid, o.oid, 'USAGE') AS inherits
    FROM pg_roles r, pg_roles o WHERE r.rolname = ${role} AND o.rolname = ${ORGANIZATION_ROLE}`.execute(database);
  const { ready = false, grantable = false, inherits = false } = rows[0] ?? {};
  if (ready && !inherits) return true;
  if (!grantable) return false;
  await sql`GRANT ${sql.ref(ORGANIZATION_ROLE)} TO ${sql.ref(role)} WITH INHERIT FALSE, SET TRUE`.execute(database);
  return true;
}
