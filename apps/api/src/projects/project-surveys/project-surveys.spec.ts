import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf, refusedBy, rowsOf } from '#test/support/client.js';
import { makeComponent, makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import { addMember, makeProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';

interface DraftAnswer {
  id: string;
  text: string;
  question: string;
  selected: boolean;
  valid: boolean;
}

interface Draft {
  answers: DraftAnswer[];
  survey_complete: boolean;
  dirty: boolean;
  sections?: Section[];
}

interface Section {
  id: string;
  title: string;
  questions: { id: string; text: string; format: string; answers: { id: string; text: string }[] }[];
}

interface Survey {
  answers: string[];
  survey_complete: boolean;
  sections: Section[];
}

interface Comment {
  id: number;
  question: string;
  text: string;
  pinned: boolean;
  locked: boolean;
  author: { id: number };
}

const test = useTestApi();
const surveyOf = (project: number | string): string => `/projects/${project}/survey/`;
const draftOf = (project: number | string): string => `${surveyOf(project)}draft/`;
const answerOf = (project: number | string, id: string): string => `${draftOf(project)}${id}/`;
const commentsOf = (project: number | string): string => `${surveyOf(project)}comments/`;

const select = (project: number, id: string, selected: unknown = true, api: ApiClient = test.api) =>
  bodyOf(api.patch<DraftAnswer & Draft>(answerOf(project, id), { selected }));
const draft = (project: number, query = {}) => bodyOf(test.api.get<Draft>(draftOf(project), query));
const save = (project: number) => bodyOf(test.api.post<Draft>(draftOf(project)));
const saved = async (project: number) => (await bodyOf(test.api.get<Survey>(surveyOf(project)))).answers;
const selectedIn = ({ answers }: Draft): string[] => answers.filter((answer) => answer.selected).map(({ id }) => id);
const inDraft = async (project: number, id: string): Promise<DraftAnswer | undefined> =>
  (await draft(project)).answers.find((answer) => answer.id === id);

describe('The survey of a project', () => {
  it('shows what was saved, and the sections with the questions of their subsections', async () => {
    const { id } = await makeProject(test);
    const survey = await bodyOf(test.api.get<Survey>(surveyOf(id)));
    expect(survey).toEqual({ answers: [], survey_complete: false, sections: expect.any(Array) });
    const [section] = survey.sections;
    expect(section).toMatchObject({ id: 'S1', title: 'Application profile' });
    expect(section?.questions.map((question) => question.id).slice(0, 5)).toEqual(['Q1', 'Q2', 'Q3', 'Q4', 'Q5']);
    expect(section?.questions[1]).toMatchObject({ format: 'SC', answers: [{ id: 'A7' }, { id: 'A8' }] });
  });

  it('begins with the answers of the profile that the project is made with, and is not complete by that', async () => {
    const { application } = await makeProject(test);
    const project = await bodyOf(
      test.api.post<{ id: number }>('/projects/', { name: unique('Project'), application, profile: 'P1' }),
      201,
    );
    const profile = await bodyOf(test.api.get<{ answers: string[] }>('/profiles/P1/'));
    const survey = await bodyOf(test.api.get<Survey>(surveyOf(project.id)));
    expect(survey).toMatchObject({ answers: profile.answers, survey_complete: false });
    expect(await rowsOf(test.api.get<List<{ id: string }>>(`/projects/${project.id}/tasks/`))).not.toEqual([]);
  });
});

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

  it('shows the sections with include=survey beside one of its answers too, read or changed', async () => {
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
    expect(selectedIn(await draft(id))).toEqual(await saved(id));
  });
});

describe('Saving a survey', () => {
  it('works out the project in the same step', async () => {
    const project = await makeProject(test);
    const weakness = await makeWeakness(test.api, { match_conditions: [{ required: ['A5'], excluded: ['A6'] }] });
    const task = await makeCountermeasure(test.api, { problem: weakness.id });
    const tasks = async () =>
      (await rowsOf(test.api.get<List<{ task_id: string }>>(`/projects/${project.id}/tasks/`))).map(
        (row) => row.task_id,
      );
    await save(project.id);
    expect(await tasks()).not.toContain(task.id);
    await select(project.id, 'A5');
    expect(await tasks()).not.toContain(task.id);
    await save(project.id);
    expect(await tasks()).toContain(task.id);
    await select(project.id, 'A6');
    await save(project.id);
    expect(await tasks()).not.toContain(task.id);
  });

  it('writes one activity with the answers that came and went', async () => {
    const project = await makeProject(test);
    await select(project.id, 'A4');
    await select(project.id, 'A6');
    await save(project.id);
    await select(project.id, 'A4', false);
    await select(project.id, 'A5');
    const activities = await activitiesOf(test, () => save(project.id));
    expect(activities.filter(({ name }) => name === 'ChangedProjectSurveyActivity')).toEqual([
      {
        name: 'ChangedProjectSurveyActivity',
        organization_id: String(test.organization.id),
        actor_id: String(test.organization.admin.id),
        text: `*Ada Admin* changed the survey of project [${project.name}](/activity-redirect/project/${project.id}/)`,
        data: {
          project: project.id,
          project_desc: project.name,
          application: project.application,
          application_desc: expect.any(String),
          business_unit: project.businessUnit,
          business_unit_desc: expect.any(String),
          answers: { added: ['A5'], removed: ['A4'] },
          answers_desc: { added: [expect.any(String)], removed: [expect.any(String)] },
        },
        icon: 'survey',
        log_level: 'user',
      },
    ]);
  });

  it('brings in the component of an answer, marks what it implements as done, and tells of the component', async () => {
    const project = await makeProject(test);
    const [done, introduced] = [
      await makeCountermeasure(test.api, {
        match_conditions: [{ required: ['A2'] }],
        problem: (await makeWeakness(test.api)).id,
      }),
      await makeCountermeasure(test.api, {
        match_conditions: [{ required: ['A3'] }],
        problem: (await makeWeakness(test.api)).id,
      }),
    ];
    const component = await makeComponent(test.api, {
      answer_mapping: 'A2',
      hidden: false,
      tasks_implemented: [done.id],
      tasks_introduced: [introduced.id],
    });
    await select(project.id, 'A2');
    const activities = await activitiesOf(test, () => save(project.id));
    expect(
      activities.filter(
        ({ name, data }) => name === 'AddedReusableComponentToProjectActivity' && data['component'] === component.id,
      ),
    ).toMatchObject([{ icon: 'hub', data: { project: project.id, component_desc: component.title } }]);
    const rows = await rowsOf(
      test.api.get<List<{ task_id: string; status: string; note_count: number }>>(`/projects/${project.id}/tasks/`),
    );
    expect(rows.find((row) => row.task_id === done.id)).toMatchObject({ status: 'TS1', note_count: 1 });
    expect(rows.find((row) => row.task_id === introduced.id)).toMatchObject({ status: 'TS2' });

    await bodyOf(test.api.patch(`/projects/${project.id}/tasks/${done.id}/`, { status: 'TS2' }));
    await save(project.id);
    const again = await bodyOf(test.api.get<{ status: string }>(`/projects/${project.id}/tasks/${done.id}/`));
    expect(again.status).toBe('TS2');
  });

  it('keeps what was worked on when it drops out, and its status when it comes back', async () => {
    const project = await makeProject(test);
    const task = await makeCountermeasure(test.api, {
      problem: (await makeWeakness(test.api)).id,
      match_conditions: [{ required: ['A5'] }],
    });
    await select(project.id, 'A5');
    await save(project.id);
    await bodyOf(test.api.patch(`/projects/${project.id}/tasks/${task.id}/`, { status: 'TS3' }));
    await select(project.id, 'A5', false);
    await save(project.id);
    const path = `/projects/${project.id}/tasks/${task.id}/`;
    expect(await bodyOf(test.api.get(path))).toMatchObject({ relevant: false, accepted: false, status: 'TS3' });
    await select(project.id, 'A5');
    await save(project.id);
    expect(await bodyOf(test.api.get(path))).toMatchObject({ relevant: true, accepted: true, status: 'TS3' });
  });
});

describe('Who may do what with a survey', () => {
  it.each([
    ['PR1', 200],
    ['PR2', 200],
    ['PR3', 403],
    ['PR4', 403],
    ['PR5', 403],
  ])('%s: every write of it answers %i', async (role, status) => {
    const project = await makeProject(test);
    const user = await test.newUser();
    await addMember(test, project, user, role);
    await bodyOf(user.api.get(surveyOf(project.id)));
    await bodyOf(user.api.get(draftOf(project.id)));
    await bodyOf(user.api.patch(answerOf(project.id, 'A1'), { selected: true }), status);
    await bodyOf(user.api.patch(draftOf(project.id), { profile: 'P1' }), status);
    await bodyOf(user.api.delete(draftOf(project.id)), status);
    await bodyOf(user.api.post(draftOf(project.id)), status);
  });

  it('a project that is not seen is a 404 on every route', async () => {
    const { id } = await makeProject(test);
    const comment = await bodyOf(test.api.post<Comment>(commentsOf(id), { question: 'Q1', text: 'Why?' }), 201);
    const stranger = await test.newUser();
    const other = await test.newOrganization();
    for (const { api } of [stranger, other]) {
      for (const path of [
        surveyOf(id),
        draftOf(id),
        answerOf(id, 'A1'),
        commentsOf(id),
        `${commentsOf(id)}${comment.id}/`,
      ])
        await bodyOf(api.get(path), 404);
      await changesNothing(test, async () => {
        await bodyOf(api.patch(draftOf(id), { profile: 'bogus' }), 404);
        await bodyOf(api.post(draftOf(id)), 404);
        await bodyOf(api.delete(draftOf(id)), 404);
        await bodyOf(api.patch(answerOf(id, 'A1'), { selected: 'bogus' }), 404);
        await bodyOf(api.post(commentsOf(id), {}), 404);
        await bodyOf(api.patch(`${commentsOf(id)}${comment.id}/`, { text: '' }), 404);
      });
    }
  });
});

describe('A comment on a survey', () => {
  it('is made on a question, listed by question, and changed', async () => {
    const { id } = await makeProject(test);
    const made = await bodyOf(
      test.api.post<Comment>(commentsOf(id), { question: 'Q2', text: 'Ask the **team**.' }),
      201,
    );
    expect(made).toEqual({
      id: made.id,
      question: 'Q2',
      text: 'Ask the **team**.',
      pinned: false,
      locked: false,
      author: {
        id: test.organization.admin.id,
        email: test.organization.admin.email,
        first_name: 'Ada',
        last_name: 'Admin',
      },
      created: expect.any(String),
      updated: expect.any(String),
    });
    await bodyOf(test.api.post(commentsOf(id), { question: 'Q1', text: 'x' }), 201);
    expect(await rowsOf(test.api.get<List<Comment>>(commentsOf(id), { question: 'Q2' }))).toEqual([made]);
    const changed = await bodyOf(
      test.api.patch<Comment>(`${commentsOf(id)}${made.id}/`, { text: 'Asked.', pinned: true }),
    );
    expect(changed).toMatchObject({ text: 'Asked.', pinned: true, question: 'Q2' });
  });

  it('has an activity when it is made and when it is changed', async () => {
    const project = await makeProject(test);
    const activities = await activitiesOf(test, async () => {
      const body = { question: 'Q2', text: 'x' };
      const { id } = await bodyOf(test.api.post<Comment>(commentsOf(project.id), body), 201);
      await bodyOf(test.api.patch(`${commentsOf(project.id)}${id}/`, { pinned: true }));
    });
    expect(activities.map(({ name, data }) => [name, data['project'], data['question']])).toEqual([
      ['AddedNoteActivity', project.id, 'Q2'],
      ['UpdatedNoteActivity', project.id, 'Q2'],
    ]);
  });

  it('belongs to its author, and keeps its text while it is locked', async () => {
    const project = await makeProject(test);
    const developer = await test.newUser();
    await addMember(test, project, developer, 'PR4');
    const made = await bodyOf(
      developer.api.post<Comment>(commentsOf(project.id), { question: 'Q1', text: 'Mine' }),
      201,
    );
    const path = `${commentsOf(project.id)}${made.id}/`;
    await changesNothing(test, () => bodyOf(test.api.patch(path, { text: 'Yours' }), 403));
    await bodyOf(test.api.patch(path, { locked: true }));
    await changesNothing(test, () => bodyOf(developer.api.patch(path, { text: 'Again mine' }), 400));
    await bodyOf(test.api.patch(path, { text: 'Mine', pinned: true }));
    await bodyOf(developer.api.patch(path, { text: 'Again mine', locked: false }));
  });

  it.each([
    [{}, ['question', 'text']],
    [{ question: 'Q9999', text: 'x' }, ['question']],
    [{ question: 'A1', text: 'x' }, ['question']],
    [{ question: 'Q1', text: null }, ['text']],
    [{ question: 'Q1', text: 'a\0b' }, ['text']],
    [{ question: 'Q1', text: 'x'.repeat(100_001) }, ['text']],
    [{ question: 'Q1', text: 'x', pinned: 'maybe' }, ['pinned']],
  ])('is refused with %j, and nothing changes', async (body, fields) => {
    const { id } = await makeProject(test);
    await changesNothing(test, async () => {
      expect(await refusedBy(test.api.post(commentsOf(id), body))).toEqual(fields);
    });
  });
});
