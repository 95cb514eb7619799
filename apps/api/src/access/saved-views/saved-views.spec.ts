import { MAX_VIEW_QUERY_BYTES, MAX_VIEWS } from '#domain/access/saved-view/saved-view.fields.js';
import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();

const PATH = '/users/me/views/';
const VIEW = { name: 'Open', page: 'tasks', query: { status: 'TS2', tag: ['a', 'b'] } };

interface View {
  id: number;
  name: string;
  shared: boolean;
  query: object;
}

const save = (api: typeof test.api, body: object = VIEW): Promise<View> => bodyOf(api.post<View>(PATH, body), 201);
const seenBy = async (api: typeof test.api): Promise<number[]> =>
  (await rowsOf(api.get<List<View>>(PATH))).map(({ id }) => id);

describe('Saved views', () => {
  it('are created, changed and deleted by their owner, which is recorded', async () => {
    const user = await test.newUser();
    const activities = await activitiesOf(test, async () => {
      const view = await save(user.api);
      expect(view).toMatchObject({ ...VIEW, shared: false, owner: { id: user.id } });
      const path = `${PATH}${view.id}/`;
      const changed = await bodyOf(user.api.patch<View>(path, { query: { status: 'TS1' }, shared: true }));
      expect(changed).toMatchObject({ name: 'Open', query: { status: 'TS1' }, shared: true });
      await bodyOf(user.api.patch(path, {}));
      expect(await bodyOf(user.api.get(path))).toEqual(changed);
      await bodyOf(user.api.delete(path), 204);
      await bodyOf(user.api.get(path), 404);
    });
    expect(activities.map(({ name }) => name)).toEqual([
      'CreatedSavedViewActivity',
      'UpdatedSavedViewActivity',
      'DeletedSavedViewActivity',
    ]);
  });

  it('are visible to the organization if they are shared, but only their owner changes them', async () => {
    const [owner, other] = [await test.newUser(), await test.newUser()];
    const shared = await save(owner.api, { ...VIEW, shared: true });
    const own = await save(owner.api);
    expect(await seenBy(owner.api)).toEqual([shared.id, own.id]);
    expect(await seenBy(other.api)).toEqual([shared.id]);
    expect(await bodyOf(other.api.get(`${PATH}${shared.id}/`))).toEqual(shared);
    const stranger = await test.newOrganization();
    expect(await seenBy(stranger.api)).toEqual([]);
    for (const [client, view, status] of [
      [other.api, shared, 403],
      [test.api, shared, 403],
      [other.api, own, 404],
      [test.api, own, 404],
      [stranger.api, shared, 404],
    ] as const)
      for (const body of [{ name: 'Mine' }, { name: 7 }, {}])
        await changesNothing(test, async () => {
          await bodyOf(client.patch(`${PATH}${view.id}/`, body), status);
          await bodyOf(client.delete(`${PATH}${view.id}/`), status);
        });
  });

  it.each([
    [{}, ['name', 'page', 'query']],
    [{ ...VIEW, name: ' ' }, ['name']],
    [{ ...VIEW, name: 'x'.repeat(201) }, ['name']],
    [{ ...VIEW, page: null }, ['page']],
    [{ ...VIEW, query: [] }, ['query']],
    [{ ...VIEW, query: { a: '\0' } }, ['query']],
    [{ ...VIEW, query: { a: 'x'.repeat(MAX_VIEW_QUERY_BYTES) } }, ['query']],
    [{ ...VIEW, shared: 'maybe' }, ['shared']],
  ])('are rejected with %j, and nothing changes', async (body, fields) => {
    await changesNothing(test, async () => {
      expect(await rejectedFields(test.api.post(PATH, body))).toEqual(fields);
    });
  });

  it(`are at most ${MAX_VIEWS} for each user, also with concurrent requests`, async () => {
    const user = await test.newUser();
    await test.database.query(
      `INSERT INTO saved_view (organization_id, user_id, name, page, query)
        SELECT $1, $2, 'x', 'tasks', '{}' FROM generate_series(2, $3::integer)`,
      [test.organization.id, user.id, MAX_VIEWS],
    );
    const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await user.api.post(PATH, VIEW)).status));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400]);
  });
});
