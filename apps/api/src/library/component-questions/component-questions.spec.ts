import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeComponent } from '#test/support/factories.js';
import type { ComponentQuestion, List } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/componentquestions/';
const list = (query: Record<string, string>): Promise<ComponentQuestion[]> =>
  rowsOf(test.api.get<List<ComponentQuestion>>(path, query));

describe('A component question', () => {
  it('contains its answers, each with the attribute it adds', async () => {
    expect(await bodyOf(test.api.get(`${path}AQ15/`))).toEqual({
      id: 'AQ15',
      db_id: 15,
      text: expect.any(String),
      description: expect.any(String),
      question_type: 'SC',
      answers: [
        { id: 'AA38', text: expect.any(String), description: expect.any(String), attribute: 'AT39' },
        { id: 'AA39', text: expect.any(String), description: expect.any(String), attribute: 'AT24' },
      ],
      created: expect.any(String),
      updated: expect.any(String),
    });
  });

  it('contains the components that ask it with include=components, as customized by the organization', async () => {
    const component = await makeComponent(test.api, {
      component_questions: [{ question: 'AQ4' }, { question: 'AQ15', parent_answer: 'AA9' }],
    });
    const shown = await bodyOf(test.api.get<ComponentQuestion>(`${path}AQ15/`, { include: 'components' }));
    expect(shown.components).toContainEqual({ id: component.id, title: component.title, parent_answer: 'AA9' });
    expect(shown.components).toContainEqual({ id: 'SC24', title: expect.any(String), parent_answer: 'AA37' });

    await bodyOf(test.api.patch('/library/components/SC24/', { component_questions: [{ question: 'AQ13' }] }));
    const changed = await bodyOf(test.api.get<ComponentQuestion>(`${path}AQ15/`, { include: 'components' }));
    expect(changed.components?.map(({ id }) => id)).toEqual([component.id]);

    const other = await test.newOrganization();
    const theirs = await bodyOf(other.api.get<ComponentQuestion>(`${path}AQ15/`, { include: 'components' }));
    expect(theirs.components?.map(({ id }) => id)).toEqual(['SC24']);
  });
});

describe('The list of component questions', () => {
  it('can be filtered by component', async () => {
    expect((await list({ component: 'SC11' })).map(({ id }) => id)).toEqual(['AQ7', 'AQ8']);
    expect(await list({ component: 'SC999' })).toEqual([]);
  });

  it('includes only the filtered component with filtered_component_only=true', async () => {
    const query = { component: 'SC11', include: 'components' };
    const [, all] = await list(query);
    expect(all?.components?.length).toBeGreaterThan(1);
    const narrowed = await list({ ...query, filtered_component_only: 'true' });
    expect(narrowed.map(({ components }) => components?.map(({ id }) => id))).toEqual([['SC11'], ['SC11']]);
    expect(await list({ ...query, filtered_component_only: 'false' })).toEqual(await list(query));
  });
});
