import { useTestApi } from '../../../../../test/support/api.js';
import { bodyOf } from '../../../../../test/support/client.js';
import { setPassword } from '#domain/user/password.commands.js';
import { operatorOf } from '#domain/organization/operator.js';
import { inTransaction } from '#domain/transaction.js';
import { EntityManager } from '@mikro-orm/postgresql';

const test = useTestApi({ TRUSTED_PROXIES: 'loopback' });

/** Each caller comes from an address of their own, as a trusted proxy tells. */
const from = (address: string): { 'X-Forwarded-For': string } => ({ 'X-Forwarded-For': address });

const PASSWORD = 'correct horse battery staple';
const basic = (email: string, password: string): { Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});

beforeAll(async () => {
  const { id, admin } = test.organization;
  await inTransaction(test.running.app.get(EntityManager), (em) => setPassword(em, operatorOf(id), admin.id, PASSWORD));
});

describe('Failing authentication', () => {
  it('by unknown tokens is slowed for its address, and valid tokens are not', async () => {
    const caller = test.api.as('x'.repeat(43)).with(from('192.0.2.1'));
    const statuses = await Promise.all(
      Array.from({ length: 330 }, () => caller.get('/users/me/').then(({ status }) => status)),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(300);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    await bodyOf(test.api.with(from('192.0.2.1')).get('/users/me/'));
    await bodyOf(caller.with(from('192.0.2.2')).get('/users/me/'), 401);
  });

  it('by wrong passwords is stopped after ten, the right one included, and another address is not', async () => {
    const { email } = test.organization.admin;
    const at = (password: string, address: string): Promise<{ status: number }> =>
      test.api
        .as(null)
        .with({ ...basic(email, password), ...from(address) })
        .get('/users/me/tokens/');
    expect((await at(PASSWORD, '192.0.2.3')).status).toBe(200);
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect((await at('wrong password', '192.0.2.3')).status).toBe(401);
    expect((await at('wrong password', '192.0.2.3')).status).toBe(429);
    expect((await at(PASSWORD, '192.0.2.3')).status).toBe(429);
    expect((await at(PASSWORD, '192.0.2.4')).status).toBe(200);
  });

  it('does not tell whether there is such a user', async () => {
    const { email } = test.organization.admin;
    const tell = (of: string): Promise<object> =>
      test.api
        .as(null)
        .with({ ...basic(of, 'wrong password'), ...from('192.0.2.5') })
        .get('/users/me/tokens/')
        .then(({ status, body }) => ({ status, body }));
    expect(await tell('nobody@example.com')).toEqual(await tell(email));
  });
});
