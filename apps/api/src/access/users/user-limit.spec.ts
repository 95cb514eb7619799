import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { newEmail, userBody } from '#test/support/factories.js';
import { changesNothing } from '#test/support/records.js';

const LIMIT = 5;
const test = useTestApi({ MAX_USERS_PER_HOUR: String(LIMIT) });

const body = (address = newEmail()): object => userBody({ email: address });

describe('The hourly limit on creating users', () => {
  it('applies per organization, and counts users rejected because the e-mail address is taken', async () => {
    const [ours, theirs] = [await test.newOrganization(), await test.newOrganization()];
    for (let count = 0; count < LIMIT - 1; count += 1) await bodyOf(ours.api.post('/users/', body()), 201);
    await bodyOf(ours.api.post('/users/', body(theirs.admin.email)), 400);
    for (const address of [newEmail(), theirs.admin.email, ours.admin.email]) {
      const answer = await changesNothing(test, () => ours.api.post('/users/', body(address)));
      expect([answer.status, answer.body]).toEqual([
        429,
        { detail: expect.stringMatching(/^Request was throttled\. Expected available in \d+ seconds\.$/) },
      ]);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3000);
    }
    await bodyOf(theirs.api.post('/users/', body()), 201);
  });

  it('counts users in composite requests, even if these are rolled back', async () => {
    const { api, admin } = await test.newOrganization();
    const parts = (count: number, address?: string): object[] =>
      Array.from({ length: count }, (_, index) => ({
        method: 'POST',
        path: 'users/',
        reference_id: `r${index}`,
        body: body(address),
      }));
    await bodyOf(
      api.post('/composite/', {
        all_or_none: true,
        composite_request: [...parts(LIMIT - 1), ...parts(1, admin.email)].map((part, index) => ({
          ...part,
          reference_id: `r${index}`,
        })),
      }),
    );
    await bodyOf(api.post('/users/', body()), 429);
  });

  it('also counts changes of e-mail addresses, but no other changes of users', async () => {
    const { api, admin } = await test.newOrganization();
    const own = `/users/${admin.id}/`;
    for (let count = 0; count < LIMIT; count += 1) await bodyOf(api.patch(own, { email: newEmail() }));
    await bodyOf(api.patch(own, { email: newEmail() }), 429);
    const { email: address } = await bodyOf(api.get<{ email: string }>(own));
    await bodyOf(api.patch(own, { email: address.toUpperCase(), first_name: 'Ada' }));
  });
});

describe('A taken e-mail address', () => {
  it('is rejected with the same message whichever organization uses it, when a user is changed', async () => {
    const [ours, theirs] = [await test.newOrganization(), await test.newOrganization()];
    const { id, email: own } = await test.newUser({ organization: ours });
    expect(own).not.toBe(ours.admin.email);
    const answers = [];
    for (const taken of [ours.admin.email, theirs.admin.email])
      answers.push(await bodyOf(ours.api.patch(`/users/${id}/`, { email: taken }), 400));
    expect(answers[0]).toEqual(answers[1]);
  });
});
