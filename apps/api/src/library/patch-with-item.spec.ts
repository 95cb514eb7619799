import { useTestApi } from '#test/support/api.js';
import { bodyOf, type Json } from '#test/support/client.js';
import { makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';

const test = useTestApi();

type Item = Record<string, Json>;

const conditions = { match_conditions: [{ required: ['A1', 'A2'], excluded: ['A3'] }] };

/** Items of the organization's own, and the parameters that show objects in place of all ids. */
async function expanded(): Promise<string[]> {
  const weakness = await makeWeakness(test.api, { cwe: [79, 89], ...conditions });
  const countermeasure = await makeCountermeasure(test.api, conditions);
  const component = await bodyOf(
    test.api.post<{ id: string }>('/library/components/', {
      title: unique('Component'),
      answer_mapping: 'A1',
      tasks_implemented: ['T1', 'T2'],
      tasks_introduced: ['T3'],
      implied_attributes: ['AT1', 'AT2'],
    }),
    201,
  );
  const of = { weakness: '?include=cwe,match_conditions&expand=answers', component: '?expand=tasks,answer_mapping,' };
  return [
    `/library/problems/${weakness.id}/${of.weakness}`,
    `/library/tasks/${countermeasure.id}/?include=match_conditions&expand=answers,phase,problem`,
    `/library/components/${component.id}/${of.component}implied_attributes`,
  ];
}

const unmaintained = ({ last_updated_by: _by, last_updated_date: _date, updated: _updated, ...others }: Item): Item =>
  others;

describe('Sending back items that were read with objects in place of ids', () => {
  it.each(['lenient', 'strict'] as const)('changes nothing (%s)', async (how) => {
    const api = how === 'strict' ? test.api.strict : test.api;
    for (const path of await expanded()) {
      const item = await bodyOf(api.get<Item>(path));
      const { id: _id, ...part } = item;
      for (const body of [item, part]) {
        await bodyOf(api.patch(path, body));
        expect([path, unmaintained(await bodyOf(api.get<Item>(path)))]).toEqual([path, unmaintained(item)]);
      }
    }
  });

  it('does not change built-in content, including its fields that cannot be changed', async () => {
    for (const path of [
      '/library/problems/P1/?include=cwe',
      '/library/components/SC1/?expand=tasks,answer_mapping,implied_attributes',
      '/library/tasks/T1/?expand=phase,problem',
    ]) {
      const item = await bodyOf(test.api.get<Item>(path));
      await bodyOf(test.api.strict.patch(path, item));
      expect(await bodyOf(test.api.get<Item>(path))).toEqual(item);
    }
    const { cwe } = await bodyOf(test.api.get<Item>('/library/problems/P1/?include=cwe'));
    expect(await bodyOf(test.api.patch<Item>('/library/problems/P1/', { cwe }))).toMatchObject({ type: 'Built-in' });
  });

  it('rejects objects without an id in lists of ids', async () => {
    const { id } = await makeWeakness(test.api);
    const sent = { cwe: [{ title: 'No id' }], match_conditions: [{ required: [{ text: 'No id' }] }] };
    expect(await bodyOf(test.api.patch(`/library/problems/${id}/`, sent), 400)).toEqual({
      cwe: ['A valid integer is required.'],
      match_conditions: [{ required: ['Not a valid string.'] }],
    });
  });
});
