import { createHmac } from 'node:crypto';

import { escapeLiteral } from 'pg';
import type { Client } from 'pg';

/** The name of the database. */
export const DATABASE_NAME = 'merlon';

/** The role that owns the database and its tables: migrations, backups and other commands connect as it. */
export const OWNER = 'merlon';

/** The role of the API and the worker, which setup creates. */
export const APPLICATION_ROLE = 'merlon_app';

/** The first role of a server, which can't be less than a super-user. */
export const SUPERUSER = 'postgres';

/** A role that can sign in. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
}

/**
 * The credentials of another role. Its password is derived from the super-user's, so that it needs no file; it does not
 * reveal that of any other role.
 *
 * @param superuser the credentials of the server's super-user
 * @param name a role, which may be the super-user itself
 */
export function credentialsOf(superuser: Credentials, name: string): Credentials {
  if (name === superuser.name) return superuser;
  const password = createHmac('sha256', superuser.password).update(`password of ${name}`).digest('base64url');
  return { name, password };
}

/**
 * Creates the owner and the database if they are missing. The owner may create roles, which setup needs, but is no
 * super-user: the files and programs of the machine are out of its reach.
 *
 * @param client a connection of the super-user
 * @param superuser its credentials
 */
export async function ensureDatabase(client: Client, superuser: Credentials): Promise<void> {
  const { rows } = await client.query<{ owner: boolean; database: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1) AS owner,
       EXISTS (SELECT 1 FROM pg_database WHERE datname = $2) AS database`,
    [OWNER, DATABASE_NAME],
  );
  if (rows[0]?.owner !== true) {
    const { password } = credentialsOf(superuser, OWNER);
    await client.query(`CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD ${escapeLiteral(password)}`);
  }
  if (rows[0]?.database !== true) await client.query(`CREATE DATABASE ${DATABASE_NAME} OWNER ${OWNER}`);
}
