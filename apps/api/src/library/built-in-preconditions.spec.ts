import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { builtIns, makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import type { List } from '#test/support/resources.js';
import { type BuiltInItem } from '#test/support/built-in-items.js';

const test = useTestApi();

describe('A customized built-in countermeasure', () => {
  const nextBuiltIn = builtIns<BuiltInItem>('/library/tasks/');

  it('has its own tags, and the tag filter uses them', async () => {
    const { id } = await nextBuiltIn(test.api);
    const tag = unique('tag');
    await bodyOf(test.api.patch(`/library/tasks/${id}/`, { tags: [tag] }));
    const idsFor = async (query: object): Promise<string[]> =>
      (await rowsOf(test.api.get<List<BuiltInItem>>('/library/tasks/', { tag, ...query }))).map((row) => row.id);
    expect(await idsFor({})).toEqual([id]);
    expect(await idsFor({ show_original: true })).toEqual([]);
  });

  it('expands its weakness with the customized title, even with show_original', async () => {
    const { id } = await nextBuiltIn(test.api);
    const { problem } = await bodyOf(test.api.get<{ problem: string }>(`/library/tasks/${id}/`));
    const title = unique('Changed');
    await bodyOf(test.api.patch(`/library/problems/${problem}/`, { title }));
    const body = await bodyOf(test.api.get(`/library/tasks/${id}/`, { expand: 'problem', show_original: true }));
    expect(body).toMatchObject({ problem: { id: problem, title } });
  });

  it('can move to another weakness, and moves back when it is restored', async () => {
    const { id } = await nextBuiltIn(test.api);
    const { problem } = await bodyOf(test.api.get<{ problem: string }>(`/library/tasks/${id}/`));
    const weakness = await makeWeakness(test.api);
    await bodyOf(test.api.patch(`/library/tasks/${id}/`, { problem: weakness.id }));
    const related = async (weaknessId: string): Promise<string[]> => {
      const body = await bodyOf(
        test.api.get<{ related_tasks: { id: string }[] }>(`/library/problems/${weaknessId}/`, {
          include: 'related_tasks',
        }),
      );
      return body.related_tasks.map((task) => task.id);
    };
    expect(await related(weakness.id)).toEqual([id]);
    expect(await related(problem)).not.toContain(id);
    await bodyOf(test.api.delete(`/library/tasks/${id}/`), 204);
    expect(await related(weakness.id)).toEqual([]);
    expect(await related(problem)).toContain(id);
  });
});

describe('Permission errors for built-in content', () => {
  const broken = { raw: '{', headers: { 'Content-Type': 'application/json' } };

  it.each([
    '/library/tasks/T60/',
    '/library/problems/P40/',
    '/library/threats/TH30/',
    '/library/components/SC20/',
    '/library/tasks/T2/amendments/TA9/',
    '/library/tasks/T94/implementations/I91/',
    '/library/attributes/AT20/',
    '/phases/X1/',
    '/global-roles/UR1/',
  ])('take precedence over invalid queries and bodies: DELETE %s returns 403, not 400', async (path) => {
    for (const options of [broken, { query: { bogus: 1 } }])
      expect((await test.api.strict.delete(path, undefined, options)).status).toBe(403);
  });

  it('take precedence over an invalid PATCH of an attribute (beyond `active`), a phase or a role', async () => {
    for (const [path, body] of [
      ['/library/attributes/AT20/', { name: '' }],
      ['/library/attributes/AT20/', { active: 'x', name: 'A name' }],
      ['/phases/X1/', { name: '' }],
      ['/global-roles/UR1/', { name: '' }],
    ] as const)
      expect((await test.api.patch(path, body)).status).toBe(403);
    expect(await bodyOf(test.api.patch('/library/attributes/AT20/', { active: 'x' }), 400)).toHaveProperty('active');
  });

  it('take precedence over an invalid new_weakness_id for a weakness that is not customized', async () => {
    expect((await test.api.delete('/library/problems/P40/', { new_weakness_id: 5 })).status).toBe(403);
  });

  it('take precedence over an invalid body for `active` of a weakness when its flag is off', async () => {
    const { api } = await test.newOrganization();
    await bodyOf(api.delete('/flags/ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS/'), 204);
    expect((await api.patch('/library/problems/P40/', { active: false, title: '' })).status).toBe(403);
    expect((await api.patch('/library/problems/P40/', { title: '' })).status).toBe(400);
  });

  it('do not apply to items that may be deleted: a malformed JSON body returns 400', async () => {
    const { id } = await makeCountermeasure(test.api);
    await bodyOf(test.api.patch('/library/tasks/T61/', { text: 'Ours.' }));
    for (const one of [id, 'T61'])
      expect((await test.api.delete(`/library/tasks/${one}/`, undefined, broken)).status).toBe(400);
  });
});
