import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Database } from '#query/database.js';
import { ORGANIZATION_ROLE } from '../kernel/schema/policies.js';
import { currentUser, tryToGrantOrganizationRoleToOwner, grantOrganizationRole } from './organization-role.js';
import { grantReportingRole } from '../reports/reporting-schema/reporting-schema.js';

/** Tables that only their owner writes: migrations, the loader of the starter library, and catalog imports. */
const READ_ONLY_TABLES = [
  'capec',
  'catalog_import',
  'category',
  'component_icon',
  'cwe',
  'library_release',
  'mikro_orm_migrations',
  'release_change',
  'task_status',
  'threat_framework',
  'threat_framework_entry',
];

/**
 * Grants the role of API and worker the privileges that they need: to read and write rows, but not to change the
 * schema. The role for transactions of an organization gets the same; policies restrict its rows. Run after every
 * migration, since new tables have no grants.
 *
 * @param role undefined if API and worker connect as the owner
 */
export async function grantApplicationRights(em: EntityManager, role: string | undefined): Promise<void> {
  const database = em.getKysely();
  await grantRows(database, ORGANIZATION_ROLE);
  if (role === undefined) return grantOrganizationRole(database, await currentUser(database));
  await tryToGrantOrganizationRoleToOwner(database);
  await grantRows(database, role);
  await grantOrganizationRole(database, role);
  await grantReportingRole(database, role);
}

async function grantRows(database: Database, role: string): Promise<void> {
  const { rows } = await sql<{ database: string; schema: string }>`
    SELECT quote_ident(current_database()) AS database, quote_ident(current_schema()) AS schema`.execute(database);
  const current = rows[0];
  if (!current) return;
  const to = sql.ref(role);
  const schema = sql.raw(current.schema);
  // Trend snapshots and the queue use temporary tables.
  await sql`GRANT CONNECT, TEMPORARY ON DATABASE ${sql.raw(current.database)} TO ${to}`.execute(database);
  await sql`REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${to}`.execute(database);
  await sql`GRANT USAGE ON SCHEMA ${schema} TO ${to}`.execute(database);
  await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${to}`.execute(database);
  const readOnly = sql.join(READ_ONLY_TABLES.map((name) => sql.table(name)));
  await sql`REVOKE INSERT, UPDATE, DELETE ON ${readOnly} FROM ${to}`.execute(database);
  await sql`GRANT EXECUTE ON FUNCTION email_is_taken TO ${to}`.execute(database);
  await sql`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${to}`.execute(database);
}
