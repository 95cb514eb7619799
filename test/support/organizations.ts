import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { createOrganization } from '#domain/access/organization/organization.commands.js';
import { createToken } from '#domain/access/token/token.commands.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { operatorOf } from '#domain/kernel/operator.js';

const unique = (): string => randomBytes(4).toString('hex');

/** Creates an organization as an operator does, with a super-user and a token of theirs. */
export async function makeOrganization(em: EntityManager) {
  const name = `Organization ${unique()}`;
  const email = `ada.${unique()}@example.com`;
  return acrossOrganizations(em, 'operate the deployment', async (forked) => {
    const { organizationId: id, userId } = await createOrganization(forked, {
      name,
      admin: { email, first_name: 'Ada', last_name: 'Admin' },
    });
    const { token } = await createToken(forked, operatorOf(id), String(userId), { name: 'Test' });
    return { id, name, admin: { id: userId, email, token } };
  });
}
