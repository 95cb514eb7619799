import { inOrganization, useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields } from '#test/support/client.js';
import { userWith } from '#test/support/factories.js';
import { TOKENS_PATH, type Token } from '#test/support/passwords.js';
import { changesNothing } from '#test/support/records.js';

const test = useTestApi();
const path = '/token-policy/';

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

describe('The policy of tokens', () => {
  it('allows every token at first, is visible to all, and is changed by administrators', async () => {
    const reader = await test.newUser();
    const manager = await userWith(test, 'manage_users');
    expect(await bodyOf(reader.api.get(path))).toEqual({ max_days: null, scopes_required: false });
    await changesNothing(test, () => bodyOf(reader.api.patch(path, { max_days: 1 }), 403));
    const changed = await bodyOf(manager.api.patch(path, { max_days: 30 }));
    expect(changed).toEqual({ max_days: 30, scopes_required: false });
    for (const days of [0, -1, 3651, 1.5, 'x'])
      expect(await rejectedFields(manager.api.patch(path, { max_days: days }))).toEqual(['max_days']);
    await bodyOf(manager.api.patch(path, { max_days: null }));
  });

  it('applies to new tokens, but neither to existing ones nor to other organizations', async () => {
    const own = inOrganization(test, await test.newOrganization());
    const user = await own.newUser();
    await bodyOf(own.api.patch(path, { max_days: 30, scopes_required: true }));
    const create = (fields: object) => user.api.post(TOKENS_PATH, { name: 'x', ...fields });
    const scopes = ['library:read'];
    expect((await rejectedFields(create({}))).sort()).toEqual(['expires', 'scopes']);
    expect(await rejectedFields(create({ scopes, expires: inDays(31) }))).toEqual(['expires']);
    expect(await rejectedFields(create({ scopes: ['*'], expires: inDays(29) }))).toEqual(['scopes']);
    await bodyOf(create({ scopes, expires: inDays(29) }), 201);
    await bodyOf(user.api.get('/users/me/'));
    const other = await test.newUser();
    await bodyOf(other.api.post<Token>(TOKENS_PATH, { name: 'x' }), 201);
  });

  it('is not changed if it has changed since it was read', async () => {
    const { headers } = await test.api.get(path);
    await bodyOf(test.api.patch(path, { max_days: 7 }));
    const stale = { headers: { 'If-Match': String(headers['etag']) } };
    await changesNothing(test, () => bodyOf(test.api.patch(path, { max_days: 8 }, stale), 412));
    await bodyOf(test.api.patch(path, { max_days: null }));
  });
});
