import { bodyOf, refusedBy } from '#test/support/client.js';
import { makeProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';
import {
  type DraftAnswer,
  type Draft,
  type Survey,
  surveyOf,
  draftOf,
  answerOf,
  useSurveys,
} from '#test/support/surveys.js';

const { test, select, save } = useSurveys();

const draft = (project: number, query = {}) => bodyOf(test.api.get<Draft>(draftOf(project), query));

const saved = async (project: number) => (await bodyOf(test.api.get<Survey>(surveyOf(project)))).answers;

const selectedIn = ({ answers }: Draft): string[] => answers.filter((answer) => answer.selected).map(({ id }) => id);

const inDraft = async (project: number, id: string): Promise<DraftAnswer | undefined> =>
  (await draft(project)).answers.find((answer) => answer.id === id);

describe('The draft of a survey', () => {
  it('has every answer, with its question, whether it is selected, and whether its question is open', async () => {
    const { id } = await makeProject(test);
    const { answers, survey_complete, dirty, ...others } = await draft(id);
    expect({ survey_complete, dirty, others }).toEqual({ survey_complete: false, dirty: false, others: {} });
    expect(answers.find((answer) => answer.id === 'A1')).toEqual({
      id: 'A1',
      text: 'Web application used in a browser',
      question: 'Q1',
      selected: false,
      valid: true,
    });
    expect(answers.find((answer) => answer.id === 'A7')).toMatchObject({ question: 'Q2', valid: false });
  });

  it('shows the sections with include=survey', async () => {
    const { id } = await makeProject(test);
    const { sections } = await draft(id, { include: 'survey' });
    expect(sections).toEqual((await bodyOf(test.api.get<Survey>(surveyOf(id)))).sections);
  });

  it('shows the sections with include=survey next to one of its answers too, read or changed', async () => {
    const { id } = await makeProject(test);
    const { sections } = await bodyOf(test.api.get<Survey>(surveyOf(id)));
    const include = { include: 'survey,hidden' };
    expect(await bodyOf(test.api.strict.get(answerOf(id, 'A1'), include))).toMatchObject({ id: 'A1', sections });
    expect(
      await bodyOf(test.api.strict.patch(answerOf(id, 'A1'), { selected: true }, { query: include })),
    ).toMatchObject({ selected: true, sections });
    expect(await bodyOf(test.api.get(answerOf(id, 'A1')))).not.toHaveProperty('sections');
  });

  it('shows answers that were switched off with include=hidden alone, or where they are selected', async () => {
    const { id } = await makeProject(test);
    await select(id, 'A3');
    await test.database.query(`UPDATE survey_answer SET is_active = false WHERE item_id IN ('A3', 'A4')`);
    try {
      const shown = (await draft(id)).answers.map((answer) => answer.id);
      expect([shown.includes('A3'), shown.includes('A4')]).toEqual([true, false]);
      const hidden = (await draft(id, { include: 'hidden' })).answers;
      expect(hidden.find((answer) => answer.id === 'A4')).toMatchObject({ selected: false, valid: false });
      await changesNothing(test, () => bodyOf(test.api.patch(answerOf(id, 'A4'), { selected: true }), 400));
      expect(selectedIn(await save(id))).toEqual([]);
    } finally {
      await test.database.query(`UPDATE survey_answer SET is_active = true WHERE item_id IN ('A3', 'A4')`);
    }
  });

  it('is dirty while it differs from what is saved, and not once it is as it was', async () => {
    const { id } = await makeProject(test);
    expect((await select(id, 'A1')).dirty).toBe(true);
    expect((await bodyOf(test.api.get<{ survey_dirty: boolean }>(`/projects/${id}/`))).survey_dirty).toBe(true);
    expect((await select(id, 'A1', false)).dirty).toBe(false);
  });

  it('takes the strings "true" and "false", and null or another type is a 400', async () => {
    const { id } = await makeProject(test);
    expect((await select(id, 'A1', 'true')).selected).toBe(true);
    expect((await select(id, 'A1', 'False')).selected).toBe(false);
    for (const selected of [null, 'yes', 2, [], {}])
      await changesNothing(test, () => bodyOf(test.api.patch(answerOf(id, 'A1'), { selected }), 400));
  });

  it('answers a PATCH of an answer with the answer and with what became of the others', async () => {
    const { id } = await makeProject(test);
    const answer = await select(id, 'A1');
    expect(answer).toMatchObject({ id: 'A1', question: 'Q1', selected: true, valid: true, dirty: true });
    expect(answer.answers).toEqual((await draft(id)).answers);
  });

  it('changes nothing by an empty PATCH of it or of an answer', async () => {
    const { id } = await makeProject(test);
    await changesNothing(test, () => bodyOf(test.api.patch(draftOf(id), {})));
    await changesNothing(test, () => bodyOf(test.api.patch(answerOf(id, 'A1'), {})));
  });

  it('opens a question only after another answer', async () => {
    const { id } = await makeProject(test);
    await select(id, 'A1');
    expect(await inDraft(id, 'A7')).toMatchObject({ valid: true });
    await select(id, 'A1', false);
    expect(await inDraft(id, 'A7')).toMatchObject({ valid: false });
  });

  it('drops selected answers of questions that are not open when it is saved', async () => {
    const { id } = await makeProject(test);
    await select(id, 'A7');
    expect(await inDraft(id, 'A7')).toMatchObject({ selected: true, valid: false });
    expect(selectedIn(await save(id))).toEqual([]);
    await select(id, 'A1');
    await select(id, 'A7');
    expect(selectedIn(await save(id))).toEqual(['A1', 'A7']);
    await select(id, 'A1', false);
    await save(id);
    expect(await saved(id)).toEqual([]);
  });

  it('holds one answer of a question of the format SC, and several of one of the format MC', async () => {
    const { id } = await makeProject(test);
    for (const answer of ['A1', 'A2', 'A7', 'A8']) await select(id, answer);
    expect(selectedIn(await draft(id))).toEqual(['A1', 'A2', 'A8']);
    await save(id);
    expect(await saved(id)).toEqual(['A1', 'A2', 'A8']);
  });

  it('takes the answers of a profile, and the project gets that profile when it is saved', async () => {
    const { id } = await makeProject(test);
    await select(id, 'A88');
    const body = await bodyOf(test.api.patch<Draft>(draftOf(id), { profile: 'P1' }));
    const profile = await bodyOf(test.api.get<{ answers: string[] }>('/profiles/P1/'));
    expect(selectedIn(body).sort()).toEqual([...profile.answers].sort());
    const profileNow = async () =>
      (await bodyOf(test.api.get<{ profile: { id: string } | null }>(`/projects/${id}/`))).profile?.id;
    expect(await profileNow()).toBeUndefined();
    await save(id);
    expect(await profileNow()).toBe('P1');
    expect(await saved(id)).toEqual(profile.answers);
  });

  it('refuses a profile that does not exist', async () => {
    const { id } = await makeProject(test);
    for (const profile of ['P9999', 'X', '', null, 5, {}])
      await changesNothing(test, async () => {
        expect(await refusedBy(test.api.patch(draftOf(id), { profile }))).toEqual(['profile']);
      });
  });

  it('is reset by DELETE, which answers 200 with it', async () => {
    const { id } = await makeProject(test);
    await select(id, 'A1');
    await save(id);
    await select(id, 'A2');
    await bodyOf(test.api.patch(draftOf(id), { profile: 'P2' }));
    const reset = await bodyOf(test.api.delete<Draft>(draftOf(id)));
    expect([selectedIn(reset), reset.dirty]).toEqual([['A1'], false]);
    await save(id);
    expect(await saved(id)).toEqual(['A1']);
  });

  it('is complete once it was saved with an answer to each open question that takes one', async () => {
    const { id } = await makeProject(test);
    await select(id, 'A1');
    expect((await save(id)).survey_complete).toBe(false);
    await bodyOf(test.api.patch(draftOf(id), { profile: 'P1' }));
    expect((await save(id)).survey_complete).toBe(true);
    const project = await bodyOf(
      test.api.get<{ survey_complete: boolean; risk_policy_compliant: boolean | null }>(`/projects/${id}/`),
    );
    expect(project).toMatchObject({ survey_complete: true, risk_policy_compliant: true });
    await select(id, 'A7', false);
    expect((await save(id)).survey_complete).toBe(false);
  });

  it('is a 404 for an unknown answer, and for one of another organization', async () => {
    const { id } = await makeProject(test);
    for (const answer of ['A9999', 'a1', 'CA1', 'P1', '%00', '0'])
      await bodyOf(test.api.patch(answerOf(id, answer), { selected: true }), 404);
  });

  it('survives many changes at once', async () => {
    const { id } = await makeProject(test);
    const ids = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6'];
    const answers = await Promise.all([
      ...ids.map((answer) => test.api.patch(answerOf(id, answer), { selected: true })),
      test.api.post(draftOf(id)),
      test.api.delete(draftOf(id)),
      test.api.patch(draftOf(id), { profile: 'P1' }),
      test.api.post(draftOf(id)),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await save(id);
    expect((await draft(id)).dirty).toBe(false);
    expect(selectedIn(await draft(id)).toSorted()).toEqual((await saved(id)).toSorted());
  });
});
