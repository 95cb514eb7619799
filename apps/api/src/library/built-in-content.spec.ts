import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf, rowsOf } from '#test/support/client.js';
import { answerIds, builtIns, makeCountermeasure, makeThreat, makeWeakness, unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';
import { type BuiltInItem } from '#test/support/built-in-items.js';

const test = useTestApi();

const KINDS = [
  {
    kind: 'countermeasure',
    path: '/library/tasks/',
    changed: 'last_updated_date',
    created: 'created_date',
    number: 'priority',
    word: 'Standard',
    key: 'standard',
    make: makeCountermeasure,
  },
  {
    kind: 'weakness',
    path: '/library/problems/',
    changed: 'updated',
    created: 'created',
    number: 'risk_rating',
    word: 'Weakness',
    key: 'weakness',
    make: makeWeakness,
  },
  {
    kind: 'threat',
    path: '/library/threats/',
    changed: 'last_updated_date',
    created: 'created_date',
    number: 'severity',
    word: 'Threat',
    key: 'threat',
    make: makeThreat,
  },
] as const;

describe.each(KINDS)('A built-in $kind', ({ kind, path, changed, created, number, word, key, make }) => {
  const at = (id: string): string => `${path}${id}/`;
  const nextBuiltIn = builtIns<BuiltInItem>(path);
  const read = (
    id: string,
    query: Record<string, string | boolean> = {},
    api: ApiClient = test.api,
  ): Promise<BuiltInItem> => bodyOf(api.get<BuiltInItem>(at(id), query));
  const idsFor = async (query: Record<string, string | boolean>, api: ApiClient = test.api): Promise<string[]> =>
    (await rowsOf(api.get<List<BuiltInItem>>(path, query))).map((row) => row.id);
  const change = (id: string, changes: object, api: ApiClient = test.api): Promise<BuiltInItem> =>
    bodyOf(api.patch<BuiltInItem>(at(id), changes));

  it('becomes Built-in Modified with its first change and keeps its ids and creation time', async () => {
    const before = await nextBuiltIn(test.api);
    const after = await change(before.id, { text: 'Ours.' });
    expect(after).toEqual({
      ...before,
      text: 'Ours.',
      type: 'Built-in Modified',
      match_conditions: expect.any(Array),
      [changed]: expect.any(String),
      last_updated_by: expect.objectContaining({ id: test.organization.admin.id }),
    });
    expect(after).toHaveProperty(created, before[created as keyof BuiltInItem]);
    expect(await read(before.id, { include: 'match_conditions' })).toEqual(after);
  });

  it('does not change for other organizations', async () => {
    const before = await nextBuiltIn(test.api);
    const other = await test.newOrganization();
    await change(before.id, { text: 'Ours.', active: false });
    expect(await read(before.id, {}, other.api)).toEqual(before);
    await change(before.id, { text: 'Theirs.' }, other.api);
    expect((await read(before.id)).text).toBe('Ours.');
    expect(await read(before.id, {}, other.api)).toMatchObject({ text: 'Theirs.', active: true });
  });

  it('is not changed by an empty PATCH or one with only read-only fields', async () => {
    const before = await nextBuiltIn(test.api);
    await changesNothing(test, async () => {
      await change(before.id, {});
      await change(before.id, { id: 'x', type: 'Custom', db_id: -1, url: '/x/', unknown: true });
    });
    expect(await read(before.id)).toEqual(before);
  });

  it('is Built-in Modified after a PATCH with the current title and after one that restores the text', async () => {
    const before = await nextBuiltIn(test.api);
    expect((await change(before.id, { title: before.title })).type).toBe('Built-in Modified');
    await change(before.id, { text: 'Ours.' });
    expect(await change(before.id, { text: before.text })).toMatchObject({
      text: before.text,
      type: 'Built-in Modified',
    });
  });

  it('is not changed by a rejected PATCH', async () => {
    const before = await nextBuiltIn(test.api);
    await changesNothing(test, () => bodyOf(test.api.patch(at(before.id), { text: 'Ours.', [number]: 99 }), 400));
    await changesNothing(test, () =>
      bodyOf(test.api.patch(at(before.id), { text: 'Ours.', match_conditions: [{ required: ['A99999'] }] }), 400),
    );
    expect(await read(before.id)).toEqual(before);
  });

  it('shows its original content with show_original, but the type Built-in Modified', async () => {
    const before = await nextBuiltIn(test.api);
    await change(before.id, { title: unique('Ours'), text: 'Ours.', active: false, [number]: 1 });
    const original = { ...before, type: 'Built-in Modified' };
    expect(await read(before.id, { show_original: true })).toEqual(original);
    const rows = await rowsOf(test.api.get<List<BuiltInItem>>(path, { show_original: 'true', id__in: before.id }));
    expect(rows).toEqual([original]);
  });

  it('shows no difference with show_original if it is not customized, like custom items', async () => {
    const untouched = await nextBuiltIn(test.api);
    expect(await read(untouched.id, { show_original: true })).toEqual(untouched);
    const custom = await make(test.api);
    expect(await read(custom.id, { show_original: true })).toEqual(await read(custom.id));
  });

  it('is filtered, searched and sorted by its customized content, or by the original with show_original', async () => {
    const before = await nextBuiltIn(test.api);
    const title = unique('000 sorted first');
    await change(before.id, { title, active: false, [number]: 1 });
    const both = { id__in: before.id };

    expect(await idsFor({ search: title })).toEqual([before.id]);
    expect(await idsFor({ search: title, show_original: true })).toEqual([]);
    expect(await idsFor({ ...both, search: before.title })).toEqual([]);
    expect(await idsFor({ ...both, search: before.title, show_original: true })).toEqual([before.id]);

    expect(await idsFor({ ...both, active: false })).toEqual([before.id]);
    expect(await idsFor({ ...both, active: false, show_original: true })).toEqual([]);
    expect(await idsFor({ ...both, [`${number}__gt`]: '1', show_original: true })).toEqual([before.id]);
    expect(await idsFor({ ...both, title: before.title, show_original: true })).toEqual([before.id]);

    expect((await idsFor({ ordering: 'title', type__in: 'Built-in,Built-in Modified' }))[0]).toBe(before.id);
    const byOriginal = await rowsOf(test.api.get<List<BuiltInItem>>(path, { ordering: 'title', show_original: true }));
    const titles = byOriginal.map((row) => row.title.toLowerCase());
    expect(titles).toEqual([...titles].sort((a, b) => (a < b ? -1 : 1)));
    expect(byOriginal.map((row) => row.title)).toContain(before.title);
  });

  it('matches the type filter Built-in Modified, with and without show_original', async () => {
    const before = await nextBuiltIn(test.api);
    await change(before.id, { text: 'Ours.' });
    for (const query of [{ show_original: false }, { show_original: true }]) {
      expect(await idsFor({ ...query, type__in: 'Built-in Modified' })).toContain(before.id);
      expect(await idsFor({ ...query, type__in: 'Built-in' })).not.toContain(before.id);
    }
  });

  it('appears once in every list and keeps its position when it is customized', async () => {
    const before = await nextBuiltIn(test.api);
    const ids = await idsFor({});
    await change(before.id, { text: 'Ours.' });
    expect(await idsFor({})).toEqual(ids);
    expect(await idsFor({ show_original: true })).toEqual(ids);
  });

  it('is restored to its original by DELETE with 204; a second DELETE returns 403', async () => {
    const before = await nextBuiltIn(test.api);
    await change(before.id, {
      title: unique('Ours'),
      text: 'Ours.',
      active: false,
      match_conditions: [{ required: ['A1'] }],
    });
    await bodyOf(test.api.delete(at(before.id)), 204);
    expect(await read(before.id)).toEqual(before);
    await bodyOf(test.api.delete(at(before.id)), 403);
  });

  it('can be changed again after it is restored', async () => {
    const before = await nextBuiltIn(test.api);
    await change(before.id, { text: 'Ours.' });
    await bodyOf(test.api.delete(at(before.id)), 204);
    expect(await change(before.id, { text: 'Ours again.' })).toMatchObject({
      text: 'Ours again.',
      title: before.title,
    });
  });

  it('is restored only for the organization that deletes its customization', async () => {
    const before = await nextBuiltIn(test.api);
    const other = await test.newOrganization();
    await change(before.id, { text: 'Ours.' });
    await change(before.id, { text: 'Theirs.' }, other.api);
    await bodyOf(other.api.delete(at(before.id)), 204);
    expect((await read(before.id)).text).toBe('Ours.');
    expect(await read(before.id, {}, other.api)).toEqual(before);
  });

  it('cannot be deleted by an organization that has not customized it, even if another has', async () => {
    const before = await nextBuiltIn(test.api);
    const other = await test.newOrganization();
    await change(before.id, { text: 'Ours.' });
    await changesNothing(test, () => bodyOf(other.api.delete(at(before.id)), 403));
  });

  it('records both a change and a restoration as an update activity', async () => {
    const { id, title } = await nextBuiltIn(test.api);
    const ours = unique('Ours');
    const changes = await activitiesOf(test, () => change(id, { title: ours }));
    expect(changes).toMatchObject([{ name: `Updated${word}Activity`, data: { [key]: id, [`${key}_desc`]: ours } }]);
    const restorations = await activitiesOf(test, () => bodyOf(test.api.delete(at(id)), 204));
    expect(restorations).toMatchObject([
      { name: `Updated${word}Activity`, data: { [key]: id, [`${key}_desc`]: title } },
    ]);
  });

  it('records a restoration as a deactivation if only the original is inactive', async () => {
    const { id, title } = await nextBuiltIn(test.api);
    await change(id, { active: true });
    await test.database.query(
      `UPDATE ${kind}_version SET active = false WHERE organization_id IS NULL AND item_id = $1`,
      [id],
    );
    const restorations = await activitiesOf(test, () => bodyOf(test.api.delete(at(id)), 204));
    expect(restorations).toMatchObject([
      { name: `Deactivated${word}Activity`, data: { [key]: id, [`${key}_desc`]: title } },
    ]);
    await test.database.query(
      `UPDATE ${kind}_version SET active = true WHERE organization_id IS NULL AND item_id = $1`,
      [id],
    );
  });

  it('can have customized match conditions, and shows the original ones with show_original', async () => {
    const [answer] = await answerIds(test.api, 1);
    const { id } = await nextBuiltIn(test.api);
    const original = await read(id, { include: 'match_conditions' });
    await change(id, { match_conditions: [{ required: [answer] }] });
    expect(await read(id, { include: 'match_conditions' })).toMatchObject({
      match_conditions: [{ required: [answer] }],
    });
    expect(await read(id, { include: 'match_conditions', show_original: true })).toEqual({
      ...original,
      type: 'Built-in Modified',
    });
  });
});
