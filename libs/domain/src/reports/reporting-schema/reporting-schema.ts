import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Database } from '#query/database.js';
import { lockRule } from '../../kernel/lock.js';
import { ORGANIZATION, REPORTING_VIEWS } from './reporting-views.js';

/** The role that runs reports. Roles belong to the database server, but its grants are limited to this database. */
export const REPORTING_ROLE = 'merlon_reporting';

export const CREATE_REPORTING_ROLE = `CREATE ROLE ${REPORTING_ROLE} NOLOGIN;`;

/** Each view includes the organization's id, for engines that cache rows. */
const viewDefinitions = (): string =>
  Object.entries(REPORTING_VIEWS)
    .map(
      ([name, query]) => `CREATE VIEW reporting.${name} WITH (security_barrier) AS
        SELECT shown.*, ${ORGANIZATION} AS organization_id FROM (${query}) shown;`,
    )
    .join('\n');

const digest = (): string => createHash('sha256').update(viewDefinitions()).digest('hex');

/**
 * Recreates the reporting views if this release defines them differently, and grants the reporting role access to
 * nothing else. Views have no rows to migrate. If the role cannot be created, reports are off: see `reportsState`.
 */
export async function ensureReporting(em: EntityManager): Promise<void> {
  await lockRule(em, 'reporting views');
  const database = em.getKysely();
  const { rows } = await sql<{ found: string | null }>`
    SELECT obj_description(to_regnamespace('reporting'), 'pg_namespace') AS found`.execute(database);
  const currentDigest = digest();
  if (rows[0]?.found !== currentDigest) {
    await sql`DROP SCHEMA IF EXISTS reporting CASCADE`.execute(database);
    await sql`CREATE SCHEMA reporting`.execute(database);
    await sql.raw(viewDefinitions()).execute(database);
    await sql`COMMENT ON SCHEMA reporting IS ${sql.lit(currentDigest)}`.execute(database);
  }
  await ensureRole(database);
}

/** Several processes, also of other databases on the server, may do this at once; the later ones find the role. */
async function ensureRole(database: Database): Promise<void> {
  await sql
    .raw(
      `DO $$
      BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${REPORTING_ROLE}') THEN
          BEGIN
            ${CREATE_REPORTING_ROLE}
            GRANT ${REPORTING_ROLE} TO CURRENT_USER;
          EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN NULL;
          END;
        END IF;
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${REPORTING_ROLE}') THEN
          GRANT USAGE ON SCHEMA reporting TO ${REPORTING_ROLE};
          GRANT SELECT ON ALL TABLES IN SCHEMA reporting TO ${REPORTING_ROLE};
        END IF;
      END $$`,
    )
    .execute(database);
}

/**
 * Lets a role that owns nothing run reports: it may switch to the reporting role, but does not inherit access to the
 * views. If this user may not grant that, an administrator must: see `reportsState`.
 */
export async function grantReportingRole(database: Database, role: string): Promise<void> {
  const { rows } = await sql<{ may: boolean }>`
    SELECT pg_has_role(oid, 'MEMBER WITH ADMIN OPTION') AND NOT pg_has_role(${role}, oid, 'SET') AS may FROM pg_roles
    WHERE rolname = ${REPORTING_ROLE}`.execute(database);
  if (rows[0]?.may === true)
    await sql`GRANT ${sql.ref(REPORTING_ROLE)} TO ${sql.ref(role)} WITH INHERIT FALSE`.execute(database);
}

/** Whether reports can be run: `ok`, or what is missing. */
export async function reportsState(database: Database): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    SELECT CASE
      WHEN NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = ${REPORTING_ROLE}) THEN 'off: the role is missing'
      WHEN NOT pg_has_role(${REPORTING_ROLE}, 'SET') THEN 'off: the role cannot be assumed'
      WHEN to_regnamespace('reporting') IS NULL OR NOT has_schema_privilege(${REPORTING_ROLE}, 'reporting', 'USAGE')
        THEN 'off: the views are missing'
      ELSE 'ok' END AS state`.execute(database);
  return rows[0]?.state ?? 'off';
}

/**
 * What an administrator of the database does if this service may not create or grant the role; docs/use/reports.md has
 * it too.
 */
export async function reportsRemedy(database: Database): Promise<string> {
  const { rows } = await sql<{ exists: boolean; owner: string; application: string }>`
    SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = ${REPORTING_ROLE}) AS exists,
      quote_ident(pg_get_userbyid(nspowner)) AS owner, quote_ident(current_user) AS application
    FROM pg_namespace WHERE nspname = 'reporting'`.execute(database);
  const [found] = rows;
  if (!found) return 'Run "admin migrate".';
  const statements = [...(found.exists ? [] : [CREATE_REPORTING_ROLE]), ...reportingGrants(found)];
  return `As an administrator of the database, run: ${statements.join(' ')} Then run "admin migrate".`;
}

/** Statements that let the owner and the role of the API and the worker run reports. */
export const reportingGrants = ({ owner, application }: { owner: string; application: string }): string[] =>
  owner === application
    ? [`GRANT ${REPORTING_ROLE} TO ${owner};`]
    : [
        `GRANT ${REPORTING_ROLE} TO ${owner} WITH ADMIN OPTION;`,
        `GRANT ${REPORTING_ROLE} TO ${application} WITH INHERIT FALSE;`,
      ];
