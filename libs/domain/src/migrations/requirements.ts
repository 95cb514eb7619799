import { sql } from 'kysely';
import { creationOf } from '#platform/database/application-role.js';
import type { Database } from '#query/database.js';
import { ORGANIZATION_ROLE } from '../kernel/schema/policies.js';
import {
  CREATE_REPORTING_ROLE,
  reportingGrants,
  REPORTING_ROLE,
} from '../reports/reporting-schema/reporting-schema.js';

/** The starter library is loaded by `MERGE … WHEN NOT MATCHED BY SOURCE`. */
const MIN_VERSION = 17;

/** Something is missing that only an administrator can add. The message may have several lines. */
export class RequirementsError extends Error {}

/** What the owner finds in the database. Names are quoted for SQL. */
interface Facts {
  readonly database: string;
  readonly encoding: string;
  readonly hasTrigrams: boolean;
  readonly owner: string;
  readonly application: string;
  readonly applicationExists: boolean;
  readonly mayCreateObjects: boolean;
  readonly mayCreateRoles: boolean;
  /** Roles that the application can use now, or that the owner can create or grant to it. */
  readonly usableRoles: readonly string[];
  readonly existingRoles: readonly string[];
}

/**
 * Checks, before anything is changed, that the setup can succeed on this server.
 *
 * @param database a connection of the owner
 * @param application the role of the API and the worker
 * @throws RequirementsError that names everything that is missing, with all SQL for an administrator
 */
export async function assertRequirements(database: Database, application: string): Promise<void> {
  await assertVersion(database);
  const facts = await factsOf(database, application);
  const missing = [
    ...(facts.encoding === 'UTF8' ? [] : [`It is in ${facts.encoding}: create it with ENCODING 'UTF8'.`]),
    ...(facts.hasTrigrams
      ? []
      : ['The server lacks the extension pg_trgm: install the contrib package of PostgreSQL.']),
  ];
  const statements = missingStatements(facts);
  if (statements.length)
    missing.push(
      ['As an administrator, run in the database:', '', ...statements.map((line) => `  ${line}`)].join('\n'),
    );
  if (missing.length) throw new RequirementsError(`The database ${facts.database} is not ready. ${missing.join(' ')}`);
}

/** First: older servers lack functions that the other checks call, and reject statements that these would name. */
async function assertVersion(database: Database): Promise<void> {
  const { rows } = await sql<{ text: string; number: number }>`
    SELECT current_setting('server_version') AS text, current_setting('server_version_num')::integer AS number`.execute(
    database,
  );
  const [{ text, number } = { text: 'unknown', number: 0 }] = rows;
  if (number < MIN_VERSION * 10_000)
    throw new RequirementsError(`PostgreSQL ${text} is too old. Merlon needs PostgreSQL ${MIN_VERSION} or newer.`);
}

async function factsOf(database: Database, application: string): Promise<Facts> {
  const { rows } = await sql<Facts>`
    SELECT quote_ident(datname) AS database, pg_encoding_to_char(encoding) AS encoding,
      EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm') AS "hasTrigrams",
      quote_ident(current_user) AS owner, quote_ident(${application}) AS application,
      EXISTS (SELECT 1 FROM pg_roles WHERE rolname = ${application}) AS "applicationExists",
      has_database_privilege(datname, 'CREATE')
        AND coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreateObjects",
      me.rolsuper OR me.rolcreaterole AS "mayCreateRoles",
      array(
        SELECT rolname::text FROM pg_roles WHERE rolname IN (${ORGANIZATION_ROLE}, ${REPORTING_ROLE})
      ) AS "existingRoles",
      array(
        SELECT r.rolname::text FROM pg_roles r LEFT JOIN pg_roles a ON a.rolname = ${application}
        WHERE r.rolname IN (${ORGANIZATION_ROLE}, ${REPORTING_ROLE})
          AND (me.rolsuper OR pg_has_role(r.oid, 'MEMBER WITH ADMIN OPTION') OR pg_has_role(a.oid, r.oid, 'SET'))
      ) AS "usableRoles"
    FROM pg_database, pg_roles me WHERE datname = current_database() AND me.rolname = current_user`.execute(database);
  if (!rows[0]) throw new Error('The user of the database does not exist.');
  return rows[0];
}

/** Statements for an administrator. Without reports the rest works, so their role alone is no reason to stop. */
function missingStatements(facts: Facts): string[] {
  const { database, owner, application } = facts;
  const isMissing = (role: string): boolean =>
    facts.existingRoles.includes(role) ? !facts.usableRoles.includes(role) : !facts.mayCreateRoles;
  const creating = (role: string, statement: string): string[] =>
    facts.existingRoles.includes(role) ? [] : [statement];

  const required = [
    ...(facts.mayCreateObjects ? [] : [`ALTER DATABASE ${database} OWNER TO ${owner};`]),
    ...(facts.applicationExists || facts.mayCreateRoles ? [] : [`${creationOf(application, `'…'`)};`]),
    ...(isMissing(ORGANIZATION_ROLE)
      ? [
          ...creating(ORGANIZATION_ROLE, `CREATE ROLE ${ORGANIZATION_ROLE} NOLOGIN;`),
          ...new Set([owner, application].map((role) => `GRANT ${ORGANIZATION_ROLE} TO ${role} WITH INHERIT FALSE;`)),
        ]
      : []),
  ];
  if (!required.length || !isMissing(REPORTING_ROLE)) return required;
  return [...required, ...creating(REPORTING_ROLE, CREATE_REPORTING_ROLE), ...reportingGrants(facts)];
}
