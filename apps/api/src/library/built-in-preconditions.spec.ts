import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { builtIns, makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import type { List } from '#test/support/resources.js';
import { type BuiltInItem } from '#test/support/built-in-items.js';

const test = useTestApi();

describe('The version of a built-in countermeasure', () => {
  const nextBuiltIn = builtIns<BuiltInItem>('/library/tasks/');

  it('has tags of its own, for the filter too', async () => {
    const { id } = await nextBuiltIn(test.api);
    const tag = unique('tag');
    await bodyOf(test.api.patch(`/library/tasks/${id}/`, { tags: [tag] }));
    const idsFor = async (query: object): Promise<string[]> =>
      (await rowsOf(test.api.get<List<BuiltInItem>>('/library/tasks/', { tag, ...query }))).map((row) => row.id);
    expect(await idsFor({})).toEqual([id]);
    expect(await idsFor({ show_original: true })).toEqual([]);
  });

  it('shows the weakness as changed, also where its own original is asked for', async () => {
    const { id } = await nextBuiltIn(test.api);
    const { problem } = await bodyOf(test.api.get<{ problem: string }>(`/library/tasks/${id}/`));
    const title = unique('Changed');
    await bodyOf(test.api.patch(`/library/problems/${problem}/`, { title }));
    const body = await bodyOf(test.api.get(`/library/tasks/${id}/`, { expand: 'problem', show_original: true }));
    expect(body).toMatchObject({ problem: { id: problem, title } });
  });

  it('moves to another weakness, and back when it is restored', async () => {
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

describe('What built-in content forbids', () => {
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
  ])('comes before the 400 of a query and of a body: DELETE of %s is a 403', async (path) => {
    for (const options of [broken, { query: { bogus: 1 } }])
      expect((await test.api.strict.delete(path, undefined, options)).status).toBe(403);
  });

  it('comes before the 400 of a body: PATCH of more than `active` of an attribute, of a phase and of a role is a 403', async () => {
    for (const [path, body] of [
      ['/library/attributes/AT20/', { name: '' }],
      ['/library/attributes/AT20/', { active: 'x', name: 'A name' }],
      ['/phases/X1/', { name: '' }],
      ['/global-roles/UR1/', { name: '' }],
    ] as const)
      expect((await test.api.patch(path, body)).status).toBe(403);
    expect(await bodyOf(test.api.patch('/library/attributes/AT20/', { active: 'x' }), 400)).toHaveProperty('active');
  });

  it('comes before the 400 of a body: new_weakness_id of a weakness that is not customized', async () => {
    expect((await test.api.delete('/library/problems/P40/', { new_weakness_id: 5 })).status).toBe(403);
  });

  it('comes before the 400 of a body: `active` of a weakness whose flag is off', async () => {
    const { api } = await test.newOrganization();
    await bodyOf(api.delete('/flags/ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS/'), 204);
    expect((await api.patch('/library/problems/P40/', { active: false, title: '' })).status).toBe(403);
    expect((await api.patch('/library/problems/P40/', { title: '' })).status).toBe(400);
  });

  it('is nothing of what may be deleted: there a body that is no JSON is the 400', async () => {
    const { id } = await makeCountermeasure(test.api);
    await bodyOf(test.api.patch('/library/tasks/T61/', { text: 'Ours.' }));
    for (const one of [id, 'T61'])
      expect((await test.api.delete(`/library/tasks/${one}/`, undefined, broken)).status).toBe(400);
  });
});
