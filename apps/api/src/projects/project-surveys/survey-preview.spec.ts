import fc from 'fast-check';
import { type ApiClient, bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeComponent, makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import { addMember, makeProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';
import { answerOf, type Draft, draftOf, type Survey, surveyOf, useSurveys } from '#test/support/surveys.js';

interface Item {
  id: string;
  title: string;
}

interface Preview {
  countermeasures: Record<'added' | 'removed', (Item & { priority: number; reason: string })[]>;
  weaknesses: Record<'added' | 'removed', Item[]>;
  threats: Record<'added' | 'removed', Item[]>;
  questions: Record<'shown' | 'hidden', { id: string; text: string }[]>;
}

const { test, select, save } = useSurveys();

const pathOf = (project: number): string => `${draftOf(project)}preview/`;

const preview = (project: number, body: object = {}, api: ApiClient = test.api): Promise<Preview> =>
  bodyOf(api.post<Preview>(pathOf(project), body));

/** Public ids of what a project contains, by kind. */
async function contentOf(project: number): Promise<Record<string, string[]>> {
  const idsOf = async (path: string) =>
    (await rowsOf(test.api.get<List<{ id: string }>>(`/projects/${project}/${path}`))).map(({ id }) => id);
  const { answers } = await bodyOf(test.api.get<Draft>(draftOf(project)));
  return {
    countermeasures: await idsOf('tasks/?relevant=true&accepted=all'),
    weaknesses: await idsOf('problems/'),
    threats: await idsOf('threats/'),
    questions: [...new Set(answers.filter(({ valid }) => valid).map(({ question }) => question))],
  };
}

const without = (ids: readonly string[] = [], others: readonly string[] = []): string[] =>
  ids.filter((id) => !others.includes(id)).sort();

const idsIn = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id).sort();

describe('The preview of a survey', () => {
  it('shows what answers would add, with reasons, and stores nothing', async () => {
    const { id } = await makeProject(test);
    const weakness = await makeWeakness(test.api, { match_conditions: [{ required: ['A5'] }] });
    const task = await makeCountermeasure(test.api, { problem: weakness.id, priority: 9 });
    const shown = await changesNothing(test, () => preview(id, { answers: { A5: true } }));
    expect(shown.countermeasures.added.find((row) => row.id === `${id}-${task.id}`)).toEqual({
      id: `${id}-${task.id}`,
      title: task.title,
      priority: 9,
      reason: expect.any(String),
    });
    expect(shown.weaknesses.added).toContainEqual({ id: weakness.id, title: weakness.title });
    expect(idsIn(shown.questions.shown)).toContain('Q4');
    expect([shown.countermeasures.removed, shown.questions.hidden]).toEqual([[], []]);
    const priorities = shown.countermeasures.added.map(({ priority }) => priority);
    expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
  });

  it('shows what a rejected answer would remove, and what would keep it out', async () => {
    const { id } = await makeProject(test);
    const problem = (await makeWeakness(test.api, { match_conditions: [] })).id;
    const task = await makeCountermeasure(test.api, { problem, match_conditions: [{ required: ['A5'] }] });
    await select(id, 'A5');
    await save(id);
    const { countermeasures, questions } = await changesNothing(test, () => preview(id, { answers: { A5: false } }));
    expect(countermeasures.removed.find((row) => row.id === `${id}-${task.id}`)?.reason).toMatch(
      /^Match condition \S+ does not hold: ".+" \(A5\) was not answered to "/,
    );
    expect(idsIn(questions.hidden)).toContain('Q4');
  });

  it('takes the answers of the draft by default, and those of the request in addition', async () => {
    const { id } = await makeProject(test);
    expect(await preview(id)).toEqual({
      countermeasures: { added: [], removed: [] },
      weaknesses: { added: [], removed: [] },
      threats: { added: [], removed: [] },
      questions: { shown: [], hidden: [] },
    });
    await select(id, 'A1');
    const ofDraft = await changesNothing(test, () => preview(id));
    expect(idsIn(ofDraft.questions.shown)).toContain('Q2');
    expect(await preview(id, { answers: {} })).toEqual(ofDraft);
    const both = await preview(id, { answers: { A2: true } });
    expect(idsIn(both.questions.shown)).toEqual(expect.arrayContaining(['Q2', 'Q3']));
    expect(await preview(id, { answers: { A1: false } })).toMatchObject({ questions: { shown: [], hidden: [] } });
  });

  it('equals what saving then does', async () => {
    const { id } = await makeProject(test);
    const { sections } = await bodyOf(test.api.get<Survey>(surveyOf(id)));
    const all = sections.flatMap(({ questions }) => questions);
    const introduced = await makeCountermeasure(test.api, { problem: (await makeWeakness(test.api)).id });
    await makeComponent(test.api, { answer_mapping: 'A2', hidden: false, tasks_introduced: [introduced.id] });
    const singleChoices = new Map(all.filter(({ format }) => format === 'SC').map((q) => [q.id, q.answers]));
    const questionOf = new Map(all.flatMap((q) => q.answers.map((answer) => [answer.id, q.id])));
    // Follow-up questions open only after others, so the answers to the first questions are likelier.
    const answer = fc.constantFrom('A1', 'A2', 'A3', 'A5', ...questionOf.keys());
    const choices = fc.uniqueArray(fc.tuple(answer, fc.boolean()), {
      minLength: 1,
      maxLength: 12,
      selector: ([chosen]) => {
        const question = questionOf.get(chosen) ?? '';
        return singleChoices.has(question) ? question : chosen;
      },
    });
    await fc.assert(
      fc.asyncProperty(choices, fc.boolean(), async (chosen, inDraft) => {
        const before = await contentOf(id);
        const drafted = inDraft ? chosen.slice(0, 3) : [];
        for (const [answerId, selected] of drafted) await select(id, answerId, selected);
        const shown = await changesNothing(test, () => preview(id, { answers: Object.fromEntries(chosen) }));
        for (const [answerId, selected] of chosen) await select(id, answerId, selected);
        await save(id);
        const after = await contentOf(id);
        for (const kind of ['countermeasures', 'weaknesses', 'threats'] as const)
          expect([kind, idsIn(shown[kind].added), idsIn(shown[kind].removed)]).toEqual([
            kind,
            without(after[kind], before[kind]),
            without(before[kind], after[kind]),
          ]);
        expect([idsIn(shown.questions.shown), idsIn(shown.questions.hidden)]).toEqual([
          without(after['questions'], before['questions']),
          without(before['questions'], after['questions']),
        ]);
      }),
      // Every step depends on the previous ones, so shrinking would not find a smaller example.
      { numRuns: 8, endOnFailure: true },
    );
  }, 120_000);

  it('rejects unknown and inactive answers, two answers to a question that takes one, and other values', async () => {
    const { id } = await makeProject(test);
    await test.database.query(`UPDATE survey_answer SET is_active = false WHERE item_id = 'A4'`);
    try {
      for (const [answers, fields] of [
        [{ A9999: true }, ['A9999']],
        [{ Q1: true, A1: true }, ['Q1']],
        [{ A4: true }, ['A4']],
        [{ A7: true, A8: true }, ['A8']],
        [{ A1: 'yes', A2: null, A3: false }, ['A1', 'A2']],
      ] as const)
        await changesNothing(test, async () => {
          const { answers: errors } = await bodyOf(test.api.post<{ answers: object }>(pathOf(id), { answers }), 400);
          expect(Object.keys(errors)).toEqual(fields);
        });
      for (const answers of [null, [], 'A1', 5])
        expect(await rejectedFields(test.api.post(pathOf(id), { answers }))).toEqual(['answers']);
    } finally {
      await test.database.query(`UPDATE survey_answer SET is_active = true WHERE item_id = 'A4'`);
    }
  });

  it('needs a role that may answer the survey, and finds neither projects nor answers of others', async () => {
    const project = await makeProject(test);
    const reader = await test.newUser();
    await addMember(test, project, reader, 'PR5');
    await bodyOf(reader.api.post(pathOf(project.id), {}), 403);
    const other = await test.newOrganization();
    await bodyOf(other.api.post(pathOf(project.id), {}), 404);
    const [theirs] = await test.database.query<{ id: string }>(
      `INSERT INTO survey_answer (organization_id, number, question_id, text, ordinal)
       SELECT $1, 501, id, 'Theirs', 501 FROM survey_question WHERE item_id = 'Q1' RETURNING item_id AS id`,
      [other.id],
    );
    const answers = { [theirs?.id ?? '']: true };
    expect(await rejectedFields(test.api.post(pathOf(project.id), { answers }))).toEqual(['answers']);
    await bodyOf(test.api.get(answerOf(project.id, theirs?.id ?? '')), 404);
  });
});
