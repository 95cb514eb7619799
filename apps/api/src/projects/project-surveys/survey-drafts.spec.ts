import { bodyOf, rejectedFields } from '#test/support/client.js';
import { makeProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import {
  type DraftAnswer,
  type Draft,
  type Survey,
  surveyOf,
  draftOf,
  answerOf,
  useSurveys,
} from '#test/support/surveys.js';

const { test, select, save, answerAll } = useSurveys();

const draft = (project: number, query = {}) => bodyOf(test.api.get<Draft>(draftOf(project), query));

const saved = async (project: number) => (await bodyOf(test.api.get<Survey>(surveyOf(project)))).answers;

const selectedIn = ({ answers }: Draft): string[] => answers.filter((answer) => answer.selected).map(({ id }) => id);

const inDraft = async (project: number, id: string): Promise<DraftAnswer | undefined> =>
  (await draft(project)).answers.find((answer) => answer.id === id);

describe('The survey draft', () => {
  it('contains every answer with its question, whether it is selected and whether it is valid', async () => {
    const { id } = await makeProject(test);
    const { answers, questions, survey_complete, dirty, ...others } = await draft(id);
    expect(questions[0]).toEqual({ id: 'Q1', answered: false, none: false });
    expect({ survey_complete, dirty, others }).toEqual({ survey_complete: false, dirty: false, others: {} });
    expect(answers.find((answer) => answer.id === 'A1')).toEqual({
      id: 'A1',
      text: 'Web application used in a browser',
      question: 'Q1',
      selected: false,
      state: 'unanswered',
      valid: true,
    });
    expect(answers.find((answer) => answer.id === 'A7')).toMatchObject({ question: 'Q2', valid: false });
  });

  it('returns the sections with include=survey', async () => {
    const { id } = await makeProject(test);
    const { sections } = await draft(id, { include: 'survey' });
    expect(sections).toEqual((await bodyOf(test.api.get<Survey>(surveyOf(id)))).sections);
  });

  it('returns the sections with include=survey when a single answer is read or changed', async () => {
    const { id } = await makeProject(test);
    const { sections } = await bodyOf(test.api.get<Survey>(surveyOf(id)));
    const include = { include: 'survey,hidden' };
    expect(await bodyOf(test.api.strict.get(answerOf(id, 'A1'), include))).toMatchObject({ id: 'A1', sections });
    const changed = await bodyOf(
      test.api.strict.patch<Draft>(answerOf(id, 'A1'), { selected: true }, { query: include }),
    );
    expect(changed).toMatchObject({ selected: true, sections: (await draft(id, include)).sections });
    expect(changed.sections?.map(({ title }) => title)).toEqual(sections.map(({ title }) => title));
    expect(await bodyOf(test.api.get(answerOf(id, 'A1')))).not.toHaveProperty('sections');
  });

  it('returns inactive answers only if they are selected or include=hidden is given', async () => {
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

  it('is dirty only while it differs from the saved survey', async () => {
    const { id } = await makeProject(test);
    expect((await select(id, 'A1')).dirty).toBe(true);
    expect((await bodyOf(test.api.get<{ survey_dirty: boolean }>(`/projects/${id}/`))).survey_dirty).toBe(true);
    await save(id);
    expect((await select(id, 'A1')).dirty).toBe(false);
    expect((await select(id, 'A1', false)).dirty).toBe(true);
    expect((await select(id, 'A1')).dirty).toBe(false);
  });

  it('accepts the strings "true" and "false", and rejects null and other types with 400', async () => {
    const { id } = await makeProject(test);
    expect((await select(id, 'A1', 'true')).selected).toBe(true);
    expect((await select(id, 'A1', 'False')).selected).toBe(false);
    for (const selected of [null, 'yes', 2, [], {}])
      await changesNothing(test, () => bodyOf(test.api.patch(answerOf(id, 'A1'), { selected }), 400));
  });

  it('returns the changed answer and all answers of the draft for a PATCH of an answer', async () => {
    const { id } = await makeProject(test);
    const answer = await select(id, 'A1');
    expect(answer).toMatchObject({ id: 'A1', question: 'Q1', selected: true, valid: true, dirty: true });
    expect(answer.answers).toEqual((await draft(id)).answers);
  });

  it('does not change with an empty PATCH of the draft or of an answer', async () => {
    const { id } = await makeProject(test);
    await changesNothing(test, () => bodyOf(test.api.patch(draftOf(id), {})));
    await changesNothing(test, () => bodyOf(test.api.patch(answerOf(id, 'A1'), {})));
  });

  it('makes the answers of a question valid only while the answer it depends on is selected', async () => {
    const { id } = await makeProject(test);
    await select(id, 'A1');
    expect(await inDraft(id, 'A7')).toMatchObject({ valid: true });
    await select(id, 'A1', false);
    expect(await inDraft(id, 'A7')).toMatchObject({ valid: false });
  });

  it('loses the selected answers of questions that do not apply when it is saved', async () => {
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

  it('allows one answer to an SC question and several answers to an MC question', async () => {
    const { id } = await makeProject(test);
    for (const answer of ['A1', 'A2', 'A7', 'A8']) await select(id, answer);
    expect(selectedIn(await draft(id))).toEqual(['A1', 'A2', 'A8']);
    await save(id);
    expect(await saved(id)).toEqual(['A1', 'A2', 'A8']);
  });

  it("takes over the answers of a profile, which becomes the project's profile when the draft is saved", async () => {
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

  it('takes over only the first answer of a profile to an SC question', async () => {
    const [profile] = await test.database.query<{ id: string }>(
      `INSERT INTO profile (organization_id, number, name, answers)
       SELECT $1, 77, 'Undecided', array_agg(id ORDER BY ordinal DESC) FROM survey_answer
       WHERE organization_id IS NULL AND item_id IN ('A1', 'A7', 'A8') RETURNING item_id AS id`,
      [test.organization.id],
    );
    const { id } = await makeProject(test);
    expect(selectedIn(await bodyOf(test.api.patch<Draft>(draftOf(id), { profile: profile?.id })))).toEqual([
      'A1',
      'A7',
    ]);
    await save(id);
    expect(await saved(id)).toEqual(['A1', 'A7']);
  });

  it('rejects a profile that does not exist', async () => {
    const { id } = await makeProject(test);
    for (const profile of ['P9999', 'X', '', null, 5, {}])
      await changesNothing(test, async () => {
        expect(await rejectedFields(test.api.patch(draftOf(id), { profile }))).toEqual(['profile']);
      });
  });

  it('is reset by DELETE, which returns it with 200', async () => {
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

  it('is complete after it is saved with an answer to each applicable question', async () => {
    const { id } = await makeProject(test);
    await select(id, 'A1');
    expect((await save(id)).survey_complete).toBe(false);
    await bodyOf(test.api.patch(draftOf(id), { profile: 'P1' }));
    expect((await save(id)).survey_complete).toBe(false);
    await answerAll(id);
    expect((await save(id)).survey_complete).toBe(true);
    const project = await bodyOf(
      test.api.get<{ survey_complete: boolean; risk_policy_compliant: boolean | null }>(`/projects/${id}/`),
    );
    expect(project).toMatchObject({ survey_complete: true, risk_policy_compliant: false });
    await select(id, 'A7', false);
    expect((await save(id)).survey_complete).toBe(false);
  });

  it('records once that it was completed, and that the compliance of the project changed', async () => {
    const { id } = await makeProject(test);
    await bodyOf(test.api.patch(draftOf(id), { profile: 'P1' }));
    await answerAll(id);
    const names = async (): Promise<string[]> =>
      (await activitiesOf(test, () => save(id))).map(({ name }) => name).filter((name) => !name.includes('Reusable'));
    expect(await names()).toEqual([
      'ChangedProjectComplianceActivity',
      'ChangedProjectSurveyActivity',
      'CompletedProjectSurveyActivity',
    ]);
    expect(await names()).toEqual(['ChangedProjectSurveyActivity']);
    await select(id, 'A7', false);
    const [changed] = await activitiesOf(test, () => save(id));
    expect(changed).toMatchObject({
      name: 'ChangedProjectComplianceActivity',
      text: expect.stringMatching(/^\*Ada Admin\* changed the risk-policy compliance of project \[/),
      data: { project: id, compliance: 'unknown', compliance_desc: 'Unknown' },
    });
  });

  it('is complete without answers to a question that has no active answer', async () => {
    const { id } = await makeProject(test);
    await bodyOf(test.api.patch(draftOf(id), { profile: 'P1' }));
    await answerAll(id);
    expect((await save(id)).survey_complete).toBe(true);
    const setActive = (active: boolean) =>
      test.database.query(
        `UPDATE survey_answer SET is_active = $1
         WHERE question_id = (SELECT id FROM survey_question WHERE item_id = 'Q2' AND organization_id IS NULL)`,
        [active],
      );
    await setActive(false);
    try {
      const after = await save(id);
      expect(selectedIn(after)).not.toContain('A7');
      expect(after.survey_complete).toBe(true);
    } finally {
      await setActive(true);
    }
    expect((await save(id)).survey_complete).toBe(false);
  });

  it('returns 404 for an answer that does not exist or belongs to another organization', async () => {
    const { id } = await makeProject(test);
    const other = await test.newOrganization();
    const [theirs] = await test.database.query<{ id: string }>(
      `INSERT INTO survey_answer (organization_id, number, question_id, text, ordinal)
       SELECT $1, 501, id, 'Theirs', 501 FROM survey_question WHERE item_id = 'Q1' RETURNING item_id AS id`,
      [other.id],
    );
    for (const answer of ['A9999', 'a1', 'CA1', theirs?.id ?? '', 'P1', '%00', '0'])
      await changesNothing(test, () => bodyOf(test.api.patch(answerOf(id, answer), { selected: true }), 404));
  });

  it('stays consistent under many concurrent changes', async () => {
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
