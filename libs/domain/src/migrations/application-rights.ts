import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Database } from '#query/database.js';
import type { Sql } from '#query/query-context.js';
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
  await revokeDefaults(database);
  await grantRows(database, ORGANIZATION_ROLE);
  if (role === undefined) return grantOrganizationRole(database, await currentUser(database));
  await tryToGrantOrganizationRoleToOwner(database);
  await grantRows(database, role);
  // For trend snapshots and the queue, which use temporary tables.
  await sql`GRANT TEMPORARY ON DATABASE ${await currentDatabase(database)} TO ${sql.ref(role)}`.execute(database);
  await grantOrganizationRole(database, role);
  await grantReportingRole(database, role);
}

/** By default, every role of the server may create temporary tables, and in old databases also tables of its own. */
async function revokeDefaults(database: Database): Promise<void> {
  await sql`REVOKE TEMPORARY ON DATABASE ${await currentDatabase(database)} FROM PUBLIC`.execute(database);
  await sql`REVOKE CREATE ON SCHEMA ${await currentSchema(database)} FROM PUBLIC`.execute(database);
}

async function grantRows(database: Database, role: string): Promise<void> {
  const to = sql.ref(role);
  const schema = await currentSchema(database);
  await sql`GRANT CONNECT ON DATABASE ${await currentDatabase(database)} TO ${to}`.execute(database);
  await sql`REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${to}`.execute(database);
  await sql`GRANT USAGE ON SCHEMA ${schema} TO ${to}`.execute(database);
  await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${to}`.execute(database);
  const readOnly = sql.join(READ_ONLY_TABLES.map((name) => sql.table(name)));
  await sql`REVOKE INSERT, UPDATE, DELETE ON ${readOnly} FROM ${to}`.execute(database);
  await sql`GRANT EXECUTE ON FUNCTION email_is_taken TO ${to}`.execute(database);
  await sql`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${to}`.execute(database);
}

const currentDatabase = (database: Database): Promise<Sql> => nameFrom(database, sql`current_database()`);

const currentSchema = (database: Database): Promise<Sql> => nameFrom(database, sql`current_schema()`);

async function nameFrom(database: Database, expression: Sql): Promise<Sql> {
  const { rows } = await sql<{ name: string }>`SELECT ${expression} AS name`.execute(database);
  return sql.id(rows[0]?.name ?? '');
}
