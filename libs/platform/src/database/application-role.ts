import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg';

/** Error codes for a role that another process has created in the meantime. */
const EXISTS = new Set(['42710', '23505']);
const NOT_ALLOWED = '42501';

/**
 * Attributes that would let the role of the API and the worker bypass row-level security or ownership are switched off.
 */
const ATTRIBUTES = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';

/** The name of the role that a connection URL names; empty if it names none. */
export const applicationRoleOf = (url: string): string => decodeURIComponent(new URL(url).username);

/**
 * The statement that creates the role of the API and the worker.
 *
 * @param role quoted name
 * @param password quoted password
 */
export const creationOf = (role: string, password: string): string =>
  `CREATE ROLE ${role} LOGIN ${ATTRIBUTES} PASSWORD ${password}`;

interface FoundRole {
  readonly isOwner: boolean;
  readonly exists: boolean;
  readonly isPowerful: boolean;
}

/**
 * Creates the database role of the API and the worker if it is missing. It owns nothing; migrations grant its rights.
 *
 * @param ownerUrl connection URL of the tables' owner
 * @param applicationUrl connection URL of the API and the worker, with the name and password of their role
 * @returns the role's name; undefined if both URLs use the same role
 * @throws Error with instructions for an administrator, if the role can't be created or has too many rights
 */
export async function ensureApplicationRole(ownerUrl: string, applicationUrl: string): Promise<string | undefined> {
  const { password } = new URL(applicationUrl);
  const name = applicationRoleOf(applicationUrl);
  if (ownerUrl === applicationUrl) return undefined;
  if (name === '') throw new Error('DATABASE_URL must name a user if DATABASE_OWNER_URL is set.');

  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const role = await findRole(owner, name);
    if (role.isOwner) return undefined;
    if (role.isPowerful) {
      throw new Error(
        `The user "${name}" of DATABASE_URL has more rights than needed. As an administrator of the database, revoke ` +
          `its membership in the owner's role and run: ALTER ROLE ${escapeIdentifier(name)} ${ATTRIBUTES};`,
      );
    }
    if (!role.exists) await createRole(owner, name, decodeURIComponent(password));
    return name;
  } finally {
    await owner.end();
  }
}

async function findRole(owner: Client, name: string): Promise<FoundRole> {
  const { rows } = await owner.query<FoundRole>(
    `SELECT $1 = current_user AS "isOwner", rolname IS NOT NULL AS exists,
       coalesce(rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls
         OR pg_has_role(r.oid, current_user::regrole, 'MEMBER'), false) AS "isPowerful"
     FROM (SELECT $1::text AS wanted) w LEFT JOIN pg_roles r ON r.rolname = w.wanted`,
    [name],
  );
  return rows[0] ?? { isOwner: false, exists: false, isPowerful: false };
}

async function createRole(owner: Client, name: string, password: string): Promise<void> {
  const role = escapeIdentifier(name);
  try {
    await owner.query(creationOf(role, escapeLiteral(password)));
  } catch (error) {
    const code = error instanceof DatabaseError ? (error.code ?? '') : '';
    if (EXISTS.has(code)) return;
    if (code !== NOT_ALLOWED) throw error;
    throw new Error(
      `The user "${name}" of DATABASE_URL does not exist, and the user of DATABASE_OWNER_URL may not create it. As ` +
        `an administrator of the database, run: ${creationOf(role, `'…'`)};`,
      { cause: error },
    );
  }
}
