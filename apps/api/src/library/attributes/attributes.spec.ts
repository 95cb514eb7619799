import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf, type Json, rowsOf } from '#test/support/client.js';
import { makeAttribute, unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Attribute, List } from '#test/support/resources.js';

const test = useTestApi();

const PATH = '/library/attributes/';
const at = (id: string): string => `${PATH}${id}/`;
const show = (id: string, api: ApiClient = test.api): Promise<Attribute> => bodyOf(api.get<Attribute>(at(id)));
const find = (query: object, api: ApiClient = test.api): Promise<Attribute[]> =>
  rowsOf(api.get<List<Attribute>>(PATH, query as Record<string, string>));
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** A chain of attributes, each below the one before. */
async function chain(length: number, parent: string | null = null): Promise<Attribute[]> {
  const created: Attribute[] = [];
  for (let level = 0; level < length; level += 1)
    created.push(await makeAttribute(test.api, { parent: created.at(-1)?.id ?? parent }));
  return created;
}

describe('A custom attribute', () => {
  it('requires only a name, and is an active root by default', async () => {
    const { api } = await test.newOrganization();
    const body = await bodyOf(api.post<Attribute>(PATH, { name: '  Biometric data ' }), 201);
    expect(body).toEqual({
      id: 'CAT1',
      db_id: -1,
      name: 'Biometric data',
      description: '',
      type: 'Custom',
      is_custom: true,
      active: true,
      parent: null,
      path: ['CAT1'],
      depth: 1,
      created: expect.any(String),
      updated: body.created,
    });
  });

  it.each<[string, object, object]>([
    ['no name', {}, { name: ['This field is required.'] }],
    ['a blank name', { name: ' ' }, { name: ['This field may not be blank.'] }],
    ['a null name', { name: null }, { name: ['This field may not be null.'] }],
    ['a name of more than 500 characters', { name: 'x'.repeat(501) }, { name: [expect.stringContaining('500')] }],
    ['a number for a name', { name: 5 }, { name: ['Not a valid string.'] }],
    ['a NUL in the description', { name: 'a', description: 'a\0' }, { description: [expect.any(String)] }],
    ['a parent that does not exist', { name: 'a', parent: 'AT9999' }, { parent: ['"AT9999" does not exist.'] }],
    ['a parent of another kind', { name: 'a', parent: 'T1' }, { parent: ['"T1" does not exist.'] }],
    ['an invalid boolean', { name: 'a', active: 'maybe' }, { active: ['Must be a valid boolean.'] }],
  ])('is rejected with %s', async (_case, body, errors) => {
    expect(await changesNothing(test, () => bodyOf(test.api.post(PATH, body), 400))).toEqual(errors);
  });

  it('does not change with an empty PATCH', async () => {
    const created = await makeAttribute(test.api, { parent: 'AT1' });
    expect(await changesNothing(test, () => bodyOf(test.api.patch(at(created.id), {})))).toEqual(created);
  });

  it('cannot be accessed by other organizations', async () => {
    const { id } = await makeAttribute(test.api);
    const other = await test.newOrganization();
    for (const answer of [other.api.get(at(id)), other.api.patch(at(id), { name: 'taken' }), other.api.delete(at(id))])
      expect(await bodyOf(answer, 404)).toEqual({ detail: 'Not found.' });
    expect(await bodyOf(other.api.post(PATH, { name: 'below', parent: id }), 400)).toHaveProperty('parent');
    expect(idsOf(await find({ type: 'Custom' }, other.api))).toEqual([]);
  });

  it('requires the permission to customize content for changes, but none for reading', async () => {
    const { id } = await makeAttribute(test.api);
    const { api } = await test.newUser();
    await bodyOf(api.get(at(id)));
    for (const answer of [api.post(PATH, { name: 'x' }), api.patch(at(id), { name: 'x' }), api.delete(at(id))])
      expect((await answer).status).toBe(403);
  });

  it('records its creation, changes, deactivation, activation and deletion as activities', async () => {
    const name = unique('Attribute');
    const activities = await activitiesOf(test, async () => {
      const { id } = await bodyOf(test.api.post<Attribute>(PATH, { name }), 201);
      await bodyOf(test.api.patch(at(id), { description: 'more', active: false }));
      await bodyOf(test.api.patch(at(id), { active: true }));
      await bodyOf(test.api.delete(at(id)), 204);
    });
    expect(activities.map((activity) => activity.name)).toEqual([
      'CreatedAttributeActivity',
      'UpdatedAttributeActivity',
      'DeactivatedAttributeActivity',
      'ActivatedAttributeActivity',
      'DeletedAttributeActivity',
    ]);
    for (const { icon, data } of activities) {
      expect(icon).toBe('label');
      expect(data).toEqual({ attribute: expect.stringMatching(/^CAT/), attribute_desc: name });
    }
  });
});

describe('The attribute tree', () => {
  it("contains each attribute's path from the root, as ids or as objects", async () => {
    const [top, below] = (await chain(2, 'AT1')) as [Attribute, Attribute];
    expect(below).toMatchObject({ parent: top.id, path: ['AT1', top.id, below.id], depth: 3 });
    const { path } = await bodyOf(test.api.get<{ path: Json[] }>(at(below.id), { expand: 'path' }));
    expect(path.slice(1)).toEqual([
      { id: top.id, name: top.name },
      { id: below.id, name: below.name },
    ]);
  });

  it('moves an attribute along with its descendants', async () => {
    const [a, b, c] = (await chain(3)) as [Attribute, Attribute, Attribute];
    await bodyOf(test.api.patch(at(b.id), { parent: 'AT1' }));
    expect(await show(c.id)).toMatchObject({ path: ['AT1', b.id, c.id], depth: 3 });
    await bodyOf(test.api.patch(at(b.id), { parent: null }));
    expect(await show(c.id)).toMatchObject({ parent: b.id, path: [b.id, c.id], depth: 2 });
    expect(await show(a.id)).toEqual(a);
  });

  it('rejects cycles', async () => {
    const [a, b, c] = (await chain(3)) as [Attribute, Attribute, Attribute];
    for (const parent of [a.id, b.id, c.id])
      expect(await changesNothing(test, () => bodyOf(test.api.patch(at(a.id), { parent }), 400))).toEqual({
        parent: [expect.stringContaining('its own descendant')],
      });
  });

  it('rejects one of two concurrent moves that would form a cycle', async () => {
    const [a, b] = [await makeAttribute(test.api), await makeAttribute(test.api)];
    const answers = await Promise.all([
      test.api.patch(at(a.id), { parent: b.id }),
      test.api.patch(at(b.id), { parent: a.id }),
    ]);
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 400]);
  });

  it('is at most ten levels deep, including the levels of a moved branch', async () => {
    const levels = await chain(10);
    const last = levels.at(-1) as Attribute;
    expect(last.depth).toBe(10);
    expect(await bodyOf(test.api.post(PATH, { name: 'too deep', parent: last.id }), 400)).toHaveProperty('parent');
    const [top] = (await chain(2)) as [Attribute];
    const body = { parent: levels[8]?.id };
    expect(await changesNothing(test, () => bodyOf(test.api.patch(at(top.id), body), 400))).toHaveProperty('parent');
    await bodyOf(test.api.patch(at(top.id), { parent: levels[7]?.id }));
  });
});

describe('A built-in attribute', () => {
  it('is activated and deactivated per organization', async () => {
    const other = await test.newOrganization();
    const before = await show('AT5');
    expect(await bodyOf(test.api.patch<Attribute>(at('AT5'), { active: false }))).toMatchObject({
      type: 'Built-in',
      active: false,
    });
    expect(idsOf(await find({ active: false, type: 'Built-in' }))).toContain('AT5');
    expect(await show('AT5', other.api)).toEqual(before);
    expect(await bodyOf(test.api.patch(at('AT5'), { active: true }))).toMatchObject({ active: true });
  });

  it('records deactivation and activation as activities', async () => {
    const activities = await activitiesOf(test, async () => {
      await bodyOf(test.api.patch(at('AT6'), { active: false }));
      await bodyOf(test.api.patch(at('AT6'), { active: 'true' }));
    });
    expect(activities.map(({ name }) => name)).toEqual(['DeactivatedAttributeActivity', 'ActivatedAttributeActivity']);
  });

  it.each([{ name: 'x' }, { description: 'x' }, { parent: null }, { active: false, name: 'x' }])(
    'rejects changes to anything but active: %j',
    async (body) => {
      expect(await changesNothing(test, () => bodyOf(test.api.patch(at('AT7'), body), 403))).toEqual({
        detail: expect.stringContaining('active'),
      });
    },
  );

  it('cannot be deleted: the error suggests deactivating it', async () => {
    for (const query of ['', '?force=true'])
      expect(await changesNothing(test, () => bodyOf(test.api.delete(at('AT7') + query), 403))).toEqual({
        detail: expect.stringContaining('Deactivate'),
      });
  });
});

describe('The list of attributes', () => {
  it('is filtered by id, type, parent, depth, name and search terms', async () => {
    const [top, below] = (await chain(2)) as [Attribute, Attribute];
    expect(idsOf(await find({ id: below.id }))).toEqual([below.id]);
    expect(idsOf(await find({ id__in: `${below.id},AT1,AT99999` }))).toEqual(['AT1', below.id]);
    expect(idsOf(await find({ parent: top.id }))).toEqual([below.id]);
    expect(idsOf(await find({ name: top.name }))).toEqual([top.id]);
    expect(idsOf(await find({ name__iexact: top.name.toUpperCase() }))).toEqual([top.id]);
    expect(idsOf(await find({ search: below.name }))).toEqual([below.id]);
    expect((await find({ type__in: 'Built-in' })).every(({ is_custom: custom }) => !custom)).toBe(true);
    expect((await find({ depth: 1 })).every(({ parent }) => parent === null)).toBe(true);
    expect((await find({ depth__gt: 1 })).every(({ depth }) => depth > 1)).toBe(true);
  });

  it.each([{ type__in: 'Bogus' }, { depth: 'deep' }, { active: 'x' }, { ordering: 'parent' }])(
    'rejects %j',
    async (query) => {
      const answer = await test.api.get(PATH, query);
      expect(answer.status).toBe(400);
    },
  );

  it('contains a built-in tree of at least sixty attributes', async () => {
    const builtIn = await find({ type: 'Built-in' });
    expect(builtIn.length).toBeGreaterThanOrEqual(60);
    for (const { id, path, depth } of builtIn) {
      expect(path).toHaveLength(depth);
      expect(path.at(-1)).toBe(id);
    }
  });
});
