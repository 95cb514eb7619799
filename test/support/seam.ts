// Stands in for what `apps/admin` and `libs/domain/src/organization` will do; goes away with their arrival.
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';

import { loadLibrary } from '#content/library/load-library.js';
import { KNOWN_FLAGS } from '#domain/flag/flags.js';
import { PERMISSIONS } from '#domain/role/permissions.js';
import { ormOptions } from '#orm';
import { hashToken, newTokenText, publicIdOf } from '#platform/crypto/token.js';

const ROLES = [
  { number: 1, name: 'User', permissions: [] },
  { number: 2, name: 'Project Lead', permissions: ['add_project', 'view_all_projects', 'edit_all_projects'] },
  { number: 4, name: 'Administrator', permissions: [...PERMISSIONS] },
  { number: 5, name: 'No Role', permissions: [] },
];

/** Brings an empty database to what a fresh installation starts from: tables, built-in roles, starter library. */
export async function setUpDatabase(url: string): Promise<void> {
  const orm = await MikroORM.init(ormOptions({ url, poolSize: 4, timeZone: 'UTC' }));
  try {
    await orm.migrator.up();
    const connection = orm.em.getConnection();
    for (const { number, name, permissions } of ROLES)
      await connection.execute('INSERT INTO global_role (number, name, permissions) VALUES (?, ?, ?::text[])', [
        number,
        name,
        `{${permissions.join(',')}}`,
      ]);
    await loadLibrary(orm.em);
  } finally {
    await orm.close();
  }
}

/** A new organization's number, and its first user. */
export interface NewOrganization {
  readonly organizationId: number;
  readonly userId: number;
  readonly token: string;
}

/** Makes an organization with a super-user, as `admin organization create` does. */
export async function createOrganization(url: string, name: string, email: string): Promise<NewOrganization> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const {
      rows: [organization],
    } = await client.query<{ id: string }>('INSERT INTO organization (name) VALUES ($1) RETURNING id', [name]);
    const organizationId = Number(organization?.id);
    for (const [flag, on] of Object.entries(KNOWN_FLAGS))
      if (on)
        await client.query('INSERT INTO feature_flag (organization_id, name) VALUES ($1, $2)', [organizationId, flag]);
    const user = await createUser(url, {
      organizationId,
      email,
      firstName: 'Ada',
      lastName: 'Admin',
      superUser: true,
      role: 'UR4',
    });
    return { organizationId, ...user };
  } finally {
    await client.end();
  }
}

/** Makes a user with a token. */
export async function createUser(
  url: string,
  user: {
    organizationId: number;
    email: string;
    firstName: string;
    lastName: string;
    superUser: boolean;
    role: string;
  },
): Promise<{ userId: number; token: string }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const {
      rows: [made],
    } = await client.query<{ id: string }>(
      `INSERT INTO user_account (organization_id, email, first_name, last_name, is_superuser, role_id)
       SELECT $1, $2, $3, $4, $5, id FROM global_role WHERE item_id = $6 RETURNING id`,
      [user.organizationId, user.email, user.firstName, user.lastName, user.superUser, user.role],
    );
    const token = newTokenText();
    await client.query('INSERT INTO api_token (user_id, name, public_id, hash) VALUES ($1, $2, $3, $4)', [
      made?.id,
      'test',
      publicIdOf(token),
      hashToken(token),
    ]);
    return { userId: Number(made?.id), token };
  } finally {
    await client.end();
  }
}
