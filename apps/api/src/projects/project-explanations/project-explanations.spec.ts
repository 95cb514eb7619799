import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import type { Explanation } from '#test/support/explanations.js';
import { makeAttribute, makeComponent, makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import { makeProject, type TestProject } from '#test/support/projects.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();
const pathOf = (project: TestProject, task: string): string => `/projects/${project.id}/tasks/${task}/explain/`;
const explain = (project: TestProject, task: string, api = test.api) =>
  bodyOf(api.get<Explanation>(pathOf(project, task)));
const answer = async (project: TestProject, ...ids: string[]): Promise<void> => {
  for (const id of ids) await bodyOf(test.api.patch(`/projects/${project.id}/survey/draft/${id}/`, { selected: true }));
  await bodyOf(test.api.post(`/projects/${project.id}/survey/draft/`));
};
const saidOf = ({ reasons }: Explanation): string[] => reasons.map(({ effect, type }) => `${effect}: ${type}`);

interface Answer {
  id: string;
  text: string;
  question: string;
}

/** Answers of the library as explanations describe them. */
const describedAnswers = async (...ids: string[]) => {
  const answers = await rowsOf(test.api.get<List<Answer>>('/library/answers/', { id__in: ids.join(',') }));
  const questions = await rowsOf(test.api.get<List<{ id: string; text: string }>>('/library/questions/'));
  return Object.fromEntries(
    answers.map(({ id, text, question: of }) => {
      const question = { id: of, text: questions.find((candidate) => candidate.id === of)?.text ?? '' };
      return [id, { id, text, question, words: `"${text}" (${id})`, asked: `answered to "${question.text}"` }];
    }),
  );
};

/** The library changes in all of these tests, and no worker updates the projects. */
const settled = (explanation: Explanation): Explanation => ({
  ...explanation,
  reasons: explanation.reasons.filter(({ effect }) => effect !== 'pending'),
});

describe('The explanation of a countermeasure that is in a project', () => {
  it('reports the match condition that holds and the answers it requires', async () => {
    const weakness = await makeWeakness(test.api);
    const task = await makeCountermeasure(test.api, {
      problem: weakness.id,
      match_conditions: [
        { required: ['A5'], excluded: ['A6'] },
        { required: ['A4'], excluded: [] },
      ],
    });
    const project = await makeProject(test);
    await answer(project, 'A5');
    const [first, second] = task.match_conditions ?? [];
    const { A4, A5, A6 } = await describedAnswers('A4', 'A5', 'A6');
    const explanation = settled(await explain(project, task.id));
    expect(explanation).toMatchObject({
      id: `${project.id}-${task.id}`,
      task_id: task.id,
      title: task.title,
      relevant: true,
      relevant_via_survey: true,
      accepted: true,
      manually_added: false,
      active: true,
      matched_by: 'answers',
      weakness: { id: weakness.id, in_project: true, conditions: [] },
      introduced_by: [],
      implemented_by: [],
    });
    expect(explanation.conditions).toEqual([
      {
        id: first?.id,
        db_id: first?.db_id,
        holds: true,
        required: [{ id: 'A5', text: A5?.text, question: A5?.question, present: true }],
        excluded: [{ id: 'A6', text: A6?.text, question: A6?.question, present: false }],
      },
      {
        id: second?.id,
        db_id: second?.db_id,
        holds: false,
        required: [{ id: 'A4', text: A4?.text, question: A4?.question, present: false }],
        excluded: [],
      },
    ]);
    expect(explanation.reasons).toEqual([
      {
        effect: 'in',
        type: 'condition',
        ref: first?.id,
        text: `Applies because ${A5?.words} was ${A5?.asked}.`,
      },
      {
        effect: 'out',
        type: 'condition',
        ref: second?.id,
        text: `Match condition ${second?.id} does not hold: ${A4?.words} was not ${A4?.asked}.`,
      },
    ]);
  });

  it('reports that it has no match conditions, was added manually or is project-specific', async () => {
    const project = await makeProject(test);
    const problem = (await makeWeakness(test.api)).id;
    const plain = await makeCountermeasure(test.api, { problem });
    const added = await makeCountermeasure(test.api, { problem, match_conditions: [{ required: ['A5'] }] });
    expect(saidOf(settled(await explain(project, plain.id)))).toEqual(['out: weakness', 'in: no_conditions']);
    await answer(project);
    expect(saidOf(settled(await explain(project, plain.id)))).toEqual(['in: no_conditions']);
    await bodyOf(test.api.post(`/projects/${project.id}/tasks/`, { task_id: added.id }), 201);
    const explanation = settled(await explain(project, added.id));
    expect([explanation.relevant, explanation.relevant_via_survey]).toEqual([true, false]);
    expect(saidOf(explanation)).toEqual(['in: manual', 'out: condition']);
    const own = await bodyOf(
      test.api.post<{ id: string; task_id: string }>(`/projects/${project.id}/tasks/`, {
        title: 'Own',
        text: 'x',
        phase: 'X1',
        priority: 5,
      }),
      201,
    );
    for (const id of [own.id, own.task_id])
      expect(settled(await explain(project, id))).toMatchObject({
        id: own.id,
        weakness: null,
        conditions: [],
        reasons: [{ effect: 'in', type: 'project', ref: null, text: 'It was created in this project.' }],
      });
  });

  it('reports the component that introduces it', async () => {
    const project = await makeProject(test);
    const task = await makeCountermeasure(test.api, {
      problem: (await makeWeakness(test.api)).id,
      match_conditions: [{ required: ['A5'] }],
    });
    const component = await makeComponent(test.api, {
      answer_mapping: 'A6',
      hidden: false,
      tasks_introduced: [task.id],
    });
    const { A6 } = await describedAnswers('A6');
    const before = await explain(project, task.id);
    expect(before.introduced_by).toEqual([{ id: component.id, title: component.title, in_project: false }]);
    expect(before.reasons).toContainEqual({
      effect: 'out',
      type: 'component',
      ref: component.id,
      text: `Component "${component.title}" (${component.id}) introduces it, and is added if ${A6?.words} is ${A6?.asked}.`,
    });
    await answer(project, 'A6');
    const after = settled(await explain(project, task.id));
    expect(after.relevant).toBe(true);
    expect(saidOf(after)).toEqual(['out: condition', 'in: component']);
  });

  it("uses the project's copy of a component, which a later change of the component does not reach", async () => {
    const project = await makeProject(test);
    const [introduced, implemented] = [await makeCountermeasure(test.api), await makeCountermeasure(test.api)];
    const component = await makeComponent(test.api, {
      answer_mapping: 'A6',
      hidden: false,
      tasks_introduced: [introduced.id],
      tasks_implemented: [implemented.id],
    });
    await answer(project, 'A6');
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { content_refresh_locked: true }));
    const swapped = { tasks_introduced: [implemented.id], tasks_implemented: [introduced.id] };
    await bodyOf(test.api.patch(`/library/components/${component.id}/`, swapped));
    const idsOf = async (task: string) => {
      const { introduced_by: introducing, implemented_by: implementing } = await explain(project, task);
      return [introducing, implementing].map((list) => list.map(({ id }) => id));
    };
    expect(await idsOf(introduced.id)).toEqual([[component.id], []]);
    expect(await idsOf(implemented.id)).toEqual([[], [component.id]]);
  });
});

describe('The explanation of a countermeasure that is not in a project', () => {
  it('reports an excluded answer, a missing answer and a weakness that is not in the project', async () => {
    const weakness = await makeWeakness(test.api, { match_conditions: [{ required: ['A4'] }] });
    const task = await makeCountermeasure(test.api, {
      problem: weakness.id,
      match_conditions: [{ required: ['A3', 'A5'], excluded: ['A6'] }],
    });
    const project = await makeProject(test);
    await answer(project, 'A5', 'A6');
    const explanation = settled(await explain(project, task.id));
    expect(explanation).toMatchObject({ relevant: false, accepted: false, weakness: { in_project: false } });
    const condition = task.match_conditions?.[0]?.id;
    const { A3, A6 } = await describedAnswers('A3', 'A6');
    expect(explanation.reasons.map(({ text }) => text)).toEqual([
      `Its weakness "${weakness.title}" (${weakness.id}) is not in the project.`,
      `Match condition ${condition} does not hold: ${A3?.words} was not ${A3?.asked}; ` +
        `${A6?.words} was ${A6?.asked}, which it excludes.`,
    ]);
  });

  it('reports that it and its weakness are inactive', async () => {
    const weakness = await makeWeakness(test.api);
    const task = await makeCountermeasure(test.api, { problem: weakness.id });
    await bodyOf(test.api.patch(`/library/problems/${weakness.id}/`, { active: false }));
    const project = await makeProject(test);
    const explanation = settled(await explain(project, `${project.id}-${task.id}`));
    expect(saidOf(explanation)).toEqual(['out: inactive', 'out: weakness', 'in: no_conditions']);
    expect(explanation.reasons[1]?.text).toBe(
      `Its weakness "${weakness.title}" (${weakness.id}) is inactive in the library.`,
    );
  });

  it('reports that the project is locked against library changes or has not been updated yet', async () => {
    const open = await makeProject(test);
    const locked = await makeProject(test, { fields: { content_refresh_locked: true } });
    const task = await makeCountermeasure(test.api, { problem: (await makeWeakness(test.api)).id });
    const textOf = async (project: TestProject) =>
      (await explain(project, task.id)).reasons.find(({ effect }) => effect === 'pending')?.text;
    expect(await textOf(open)).toBe('This project has not been updated from the library yet.');
    expect(await textOf(locked)).toBe('Library changes are not applied to this project.');
  });
});

describe('The explanation with DECISION_ENGINE enabled', () => {
  it('refers to attributes and lists the sources of each in the project', async () => {
    const organization = await test.newOrganization();
    await bodyOf(organization.api.post('/flags/', { name: 'DECISION_ENGINE' }), 201);
    const attribute = await makeAttribute(organization.api);
    const task = await makeCountermeasure(organization.api, {
      problem: (await makeWeakness(organization.api)).id,
      match_conditions: [{ required_attributes: [attribute.id, 'AT11'], excluded_attributes: [] }],
    });
    const project = await makeProject(test, { organization });
    await bodyOf(organization.api.post(`/projects/${project.id}/attributes/bulk/`, [attribute.id]));
    const { matched_by, conditions, reasons } = await explain(project, task.id, organization.api);
    expect(matched_by).toBe('attributes');
    expect(reasons[0]?.text).toMatch(
      /^Match condition \w+ does not hold: the project lacks the attribute ".+" \(AT11\)\.$/,
    );
    expect(conditions).toMatchObject([
      {
        holds: false,
        required: [
          { id: attribute.id, text: attribute.name, present: true, sources: [{ type: 'manual', ref: '' }] },
          { id: 'AT11', present: false, sources: [] },
        ],
      },
    ]);
  });
});

describe('GET /projects/{id}/tasks/{id}/explain', () => {
  it('returns 404 for unknown countermeasures and for projects that the caller cannot see', async () => {
    const project = await makeProject(test);
    const other = await makeProject(test);
    for (const id of ['T99999', 't1', 'P1', `${other.id}-T1`, 'PT1', '%00', 'CT99999'])
      await bodyOf(test.api.get(pathOf(project, id)), 404);
    const stranger = await test.newUser();
    await bodyOf(stranger.api.get(pathOf(project, 'T1')), 404);
    await bodyOf((await test.newOrganization()).api.get(pathOf(project, 'T1')), 404);
  });

  it('omits excluded fields and validates the query in strict mode', async () => {
    const project = await makeProject(test);
    const answered = await bodyOf(
      test.api.get<Partial<Explanation>>(pathOf(project, 'T1'), { exclude: 'conditions,weakness' }),
    );
    expect([answered.conditions, answered.weakness, answered.id]).toEqual([undefined, undefined, `${project.id}-T1`]);
    await bodyOf(test.api.strict.get(pathOf(project, 'T1'), { bogus: 1 }), 400);
    await bodyOf(test.api.strict.get(pathOf(project, 'T99999'), { bogus: 1 }), 404);
  });
});

describe('The inclusion reason of a countermeasure', () => {
  it('is one of the reasons of its explanation, as one sentence, in the list of countermeasures', async () => {
    const weakness = await makeWeakness(test.api);
    const make = (conditions: object[]) =>
      makeCountermeasure(test.api, { problem: weakness.id, match_conditions: conditions });
    const [conditional, plain, introduced, byHand] = [
      await make([{ required: ['A4'] }, { required: ['A5'] }]),
      await make([]),
      await make([{ required: ['A4'] }]),
      await make([{ required: ['A4'] }]),
    ];
    const component = await makeComponent(test.api, {
      answer_mapping: 'A5',
      hidden: false,
      tasks_introduced: [introduced.id],
    });
    const project = await makeProject(test);
    await answer(project, 'A5');
    const tasks = `/projects/${project.id}/tasks/`;
    await bodyOf(test.api.post(tasks, { task_id: byHand.id }), 201);
    const own = { title: 'Own', text: 'x', phase: 'X3', priority: 3 };
    const { task_id: ownId } = await bodyOf(test.api.post<{ task_id: string }>(tasks, own), 201);
    type Row = { task_id: string; inclusion_reason: string };
    const { results } = await bodyOf(test.api.get<{ results: Row[] }>(tasks));
    const reasonOf = new Map(results.map(({ task_id: id, inclusion_reason: reason }) => [id, reason]));
    const { A5 } = await describedAnswers('A5');
    expect(reasonOf.get(conditional.id)).toBe(`Applies because ${A5?.words} was ${A5?.asked}.`);
    expect(reasonOf.get(plain.id)).toBe('It has no match conditions: it applies wherever its weakness does.');
    expect(reasonOf.get(introduced.id)).toBe(`Component "${component.title}" (${component.id}) introduces it.`);
    expect(reasonOf.get(byHand.id)).toBe('It was added to this project manually.');
    expect(reasonOf.get(ownId)).toBe('It was created in this project.');
    for (const { id } of [conditional, plain, introduced, byHand]) {
      const reasons = (await explain(project, id)).reasons.filter(({ effect }) => effect === 'in');
      expect(reasons.map(({ text }) => text)).toContain(reasonOf.get(id));
    }
  });
});
