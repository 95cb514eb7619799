import { MAX_PREFERENCES_BYTES } from '#domain/access/preferences/preferences.commands.js';
import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { changesNothing } from '#test/support/records.js';

const test = useTestApi();

const PATH = '/users/me/preferences/';

describe('Preferences', () => {
  it('are empty at first, belong to one user, and are merged by name; null removes one', async () => {
    const [user, other] = [await test.newUser(), await test.newUser()];
    expect(await bodyOf(user.api.get(PATH))).toEqual({});
    await bodyOf(user.api.patch(PATH, { theme: 'dark', columns: ['title'], nested: { a: null } }));
    expect(await bodyOf(user.api.patch(PATH, { theme: null, size: 25, nested: { b: 1 } }))).toEqual({
      columns: ['title'],
      size: 25,
      nested: { b: 1 },
    });
    expect(await bodyOf(user.api.get(PATH))).toEqual({ columns: ['title'], size: 25, nested: { b: 1 } });
    expect(await bodyOf(user.api.patch(PATH, { absent: null, __proto__x: 1 }))).toMatchObject({ __proto__x: 1 });
    expect(await bodyOf(other.api.get(PATH))).toEqual({});
  });

  it(`have at most ${MAX_PREFERENCES_BYTES} bytes all together`, async () => {
    const user = await test.newUser();
    const text = 'x'.repeat(MAX_PREFERENCES_BYTES - '{"a":""}'.length);
    await bodyOf(user.api.patch(PATH, { a: text }));
    for (const changes of [{ a: `${text}x` }, { b: 1 }, { a: 'é'.repeat(MAX_PREFERENCES_BYTES / 2) }])
      expect(await changesNothing(test, () => bodyOf(user.api.patch(PATH, changes), 400))).toEqual({
        non_field_errors: [`Ensure this object has no more than ${MAX_PREFERENCES_BYTES} bytes as JSON.`],
      });
    expect(await bodyOf(user.api.patch(PATH, { a: null, b: text }))).toEqual({ b: text });
  });

  it('are objects without characters that can not be stored', async () => {
    const user = await test.newUser();
    for (const body of [[], 'x', 1, null, { a: '\0' }, { '\0': 1 }, { a: [{ b: '\udfff' }] }])
      await changesNothing(test, () => bodyOf(user.api.patch(PATH, body), 400));
  });

  it('keep all of several concurrent changes', async () => {
    const user = await test.newUser();
    const names = Array.from({ length: 10 }, (_, index) => `n${index}`);
    await Promise.all(names.map((name) => bodyOf(user.api.patch(PATH, { [name]: 1 }))));
    expect(Object.keys(await bodyOf(user.api.get<object>(PATH))).sort()).toEqual(names);
  });
});
