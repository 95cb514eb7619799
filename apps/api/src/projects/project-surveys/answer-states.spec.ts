import { bodyOf, rejectedFields } from '#test/support/client.js';
import { unique } from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';
import { answerOf, type Draft, draftOf, type Survey, surveyOf, useSurveys } from '#test/support/surveys.js';

const { test, select, save, sayNone, answerAll } = useSurveys();

const draft = (project: number, query = {}) => bodyOf(test.api.get<Draft>(draftOf(project), query));
const survey = (project: number) => bodyOf(test.api.get<Survey>(surveyOf(project)));

const stateIn = ({ answers }: Draft, id: string): unknown[] =>
  answers.filter((answer) => answer.id === id).map(({ selected, state }) => [selected, state]);

const questionIn = ({ questions }: Draft, id: string) => questions.find((question) => question.id === id);

const savedQuestion = async (project: number, id: string) =>
  (await survey(project)).sections.flatMap(({ questions }) => questions).find((question) => question.id === id);

/** A project with the answers of this profile. */
async function projectOf(profile: string): Promise<number> {
  const { application } = await makeProject(test);
  const body = { name: unique('Project'), application, profile };
  return (await bodyOf(test.api.post<{ id: number }>('/projects/', body), 201)).id;
}

describe('Answers of a survey', () => {
  it('are chosen, rejected or unanswered, in the draft and in the saved survey', async () => {
    const { id } = await makeProject(test);
    expect(stateIn(await select(id, 'A1'), 'A1')).toEqual([[true, 'chosen']]);
    const changed = await select(id, 'A2', false);
    expect(changed).toMatchObject({ id: 'A2', selected: false, state: 'rejected', dirty: true });
    expect(stateIn(changed, 'A3')).toEqual([[false, 'unanswered']]);
    await save(id);
    expect(await savedQuestion(id, 'Q1')).toMatchObject({
      answered: true,
      none: false,
      answers: [
        { id: 'A1', state: 'chosen' },
        { id: 'A2', state: 'rejected' },
        { id: 'A3', state: 'unanswered' },
        ...Array.from({ length: 3 }, () => ({ state: 'unanswered' })),
      ],
    });
    expect((await survey(id)).answers).toEqual(['A1']);
    expect(stateIn(await select(id, 'A2'), 'A2')).toEqual([[true, 'chosen']]);
  });

  it('keep their states in the sections of a draft, which differ from the saved ones while it is dirty', async () => {
    const { id } = await makeProject(test);
    await select(id, 'A1');
    const { sections } = await draft(id, { include: 'survey' });
    const drafted = sections?.[0]?.questions[0];
    expect([drafted?.answered, drafted?.answers[0]?.state]).toEqual([true, 'chosen']);
    const saved = await savedQuestion(id, 'Q1');
    expect([saved?.answered, saved?.answers[0]?.state]).toEqual([false, 'unanswered']);
    const include = { include: 'survey' };
    expect((await bodyOf(test.api.get<Draft>(answerOf(id, 'A1'), include))).sections).toEqual(sections);
  });

  it('lose nothing that people said when a question closes only in the draft', async () => {
    const { id } = await makeProject(test);
    await select(id, 'A1');
    await select(id, 'A7');
    await select(id, 'A1', false);
    expect(stateIn(await select(id, 'A1'), 'A7')).toEqual([[true, 'chosen']]);
  });

  it('that were saved without a state count as chosen', async () => {
    const { id } = await makeProject(test);
    await test.database.query(
      `INSERT INTO project_answer (project_id, answer_id)
       SELECT $1, id FROM survey_answer WHERE item_id = 'A2' AND organization_id IS NULL`,
      [id],
    );
    expect(stateIn(await draft(id), 'A2')).toEqual([[true, 'chosen']]);
  });

  it('do not change when a draft answer is sent back as it was read', async () => {
    const id = await projectOf('P1');
    await select(id, 'A2', false);
    for (const answer of ['A1', 'A2', 'A3'])
      await changesNothing(test, async () => {
        await bodyOf(test.api.patch(answerOf(id, answer), await bodyOf(test.api.get<object>(answerOf(id, answer)))));
      });
  });
});

describe('Suggested answers', () => {
  it('count for the content of a project, but answer no question until a PATCH confirms them', async () => {
    const id = await projectOf('P1');
    expect(stateIn(await draft(id), 'A1')).toEqual([[true, 'unanswered']]);
    expect(questionIn(await draft(id), 'Q1')).toMatchObject({ answered: false });
    const confirmed = await select(id, 'A1');
    expect(confirmed).toMatchObject({ selected: true, state: 'chosen', dirty: true });
    expect(questionIn(confirmed, 'Q1')).toMatchObject({ answered: true });
  });

  it('are not confirmed by saving the survey', async () => {
    const id = await projectOf('P1');
    expect((await save(id)).survey_complete).toBe(false);
    expect(stateIn(await draft(id), 'A1')).toEqual([[true, 'unanswered']]);
    await answerAll(id);
    expect((await save(id)).survey_complete).toBe(true);
    expect(stateIn(await draft(id), 'A1')).toEqual([[true, 'chosen']]);
    expect((await save(id)).survey_complete).toBe(true);
  });

  it('come from the answers of a base project too', async () => {
    const base = await makeProject(test);
    await select(base.id, 'A1');
    await select(base.id, 'A2', false);
    await save(base.id);
    const body = { name: unique('Project'), application: base.application, base_project: base.id };
    const { id } = await bodyOf(test.api.post<{ id: number }>('/projects/', body), 201);
    const copy = await draft(id);
    expect([stateIn(copy, 'A1'), stateIn(copy, 'A2')]).toEqual([[[true, 'unanswered']], [[false, 'unanswered']]]);
  });

  it('of another profile keep what people said and what agrees with it', async () => {
    const { id } = await makeProject(test);
    // The profile P1 contains A1 and A7, and no answer to Q3.
    await select(id, 'A1');
    await select(id, 'A2');
    await select(id, 'A8');
    await select(id, 'A3', false);
    await sayNone(id, 'Q3');
    const body = await bodyOf(test.api.patch<Draft>(draftOf(id), { profile: 'P1' }));
    expect(['A1', 'A2', 'A3', 'A7', 'A8'].flatMap((answer) => stateIn(body, answer))).toEqual([
      [true, 'chosen'],
      [false, 'unanswered'],
      [false, 'rejected'],
      [true, 'unanswered'],
      [false, 'unanswered'],
    ]);
    expect(questionIn(body, 'Q3')).toEqual({ id: 'Q3', answered: true, none: true });
  });
});

describe('"None of these"', () => {
  it('answers a multiple-choice question, and rejects and clears its answers', async () => {
    const { id } = await makeProject(test);
    await select(id, 'A1');
    const none = await sayNone(id, 'Q1');
    expect([stateIn(none, 'A1'), none.dirty]).toEqual([[[false, 'rejected']], true]);
    expect(questionIn(none, 'Q1')).toEqual({ id: 'Q1', answered: true, none: true });
    await save(id);
    const rejected = Array.from({ length: 6 }, () => ({ state: 'rejected' }));
    expect(await savedQuestion(id, 'Q1')).toMatchObject({ answered: true, none: true, answers: rejected });
    expect((await sayNone(id, 'Q1')).dirty).toBe(false);
  });

  it('is taken back by none: false, by choosing an answer and by discarding the draft', async () => {
    const { id } = await makeProject(test);
    await sayNone(id, 'Q1');
    const back = await sayNone(id, 'Q1', false);
    expect([questionIn(back, 'Q1'), back.dirty]).toEqual([{ id: 'Q1', answered: false, none: false }, false]);
    await sayNone(id, 'Q1');
    expect(questionIn(await select(id, 'A2'), 'Q1')).toEqual({ id: 'Q1', answered: true, none: false });
    await sayNone(id, 'Q1');
    expect(questionIn(await bodyOf(test.api.delete<Draft>(draftOf(id))), 'Q1')).toMatchObject({ none: false });
  });

  it('is dropped when the draft is saved while the question does not apply', async () => {
    const { id } = await makeProject(test);
    await select(id, 'A2');
    await sayNone(id, 'Q3');
    await select(id, 'A2', false);
    await save(id);
    expect(await savedQuestion(id, 'Q3')).toMatchObject({ answered: false, none: false });
  });

  it('is needed for a complete survey in each multiple-choice question without an answer', async () => {
    const { id } = await makeProject(test);
    await answerAll(id);
    await sayNone(id, 'Q1', false);
    expect((await save(id)).survey_complete).toBe(false);
    await sayNone(id, 'Q1');
    expect((await save(id)).survey_complete).toBe(true);
  });

  it('is rejected for a question that takes one answer, for an unknown question and for half a statement', async () => {
    const { id } = await makeProject(test);
    for (const [body, field] of [
      [{ question: 'Q2', none: true }, 'none'],
      [{ question: 'Q9999', none: true }, 'question'],
      [{ question: 'A1', none: true }, 'question'],
      [{ question: 'Q1' }, 'none'],
      [{ none: true }, 'question'],
      [{ question: 'Q1', none: null }, 'none'],
      [{ question: null, none: true }, 'question'],
      [{ profile: 'P1', question: 'Q2', none: true }, 'none'],
    ] as const)
      await changesNothing(test, async () => {
        expect(await rejectedFields(test.api.patch(draftOf(id), body))).toEqual([field]);
      });
  });
});
