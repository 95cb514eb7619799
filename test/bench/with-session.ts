import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { hashToken } from '#platform/crypto/token.js';
import type { Target } from './load.ts';

/** The same target, with the session of a browser instead of a token. The user is the first one. */
export async function withSession({ origin }: Target, databaseUrl: string): Promise<Target> {
  const id = randomBytes(32).toString('base64url');
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  // The user of a benchmark is a super-user with the role of administrators; other rights would renew the session.
  await client.query(
    `INSERT INTO user_session (user_id, credential, hash, rights, address, user_agent, expires_at)
      SELECT u.id, 'password', $1, concat_ws(' ', 'super-user', (
          SELECT string_agg(permission, ' ' ORDER BY permission COLLATE "C") FROM unnest(r.permissions) AS permission)),
        '', '', now() + interval '1 hour'
      FROM user_account u JOIN global_role r ON r.id = u.role_id ORDER BY u.id LIMIT 1`,
    [hashToken(id)],
  );
  await client.end();
  return { origin, headers: { cookie: `merlon=${id}` } };
}
