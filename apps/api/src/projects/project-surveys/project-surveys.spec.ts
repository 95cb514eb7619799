import { bodyOf, rowsOf } from '#test/support/client.js';
import { unique } from '#test/support/factories.js';
import { addMember, makeProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';
import {
  type Survey,
  type Comment,
  surveyOf,
  draftOf,
  answerOf,
  commentsOf,
  useSurveys,
} from '#test/support/surveys.js';

const { test } = useSurveys();

describe('The survey of a project', () => {
  it('returns the saved answers and the sections with the questions of their subsections', async () => {
    const { id } = await makeProject(test);
    const survey = await bodyOf(test.api.get<Survey>(surveyOf(id)));
    expect(survey).toEqual({ answers: [], survey_complete: false, sections: expect.any(Array) });
    const [section] = survey.sections;
    expect(section).toMatchObject({ id: 'S1', title: 'Application profile' });
    expect(section?.questions.map((question) => question.id).slice(0, 5)).toEqual(['Q1', 'Q2', 'Q54', 'Q3', 'Q55']);
    expect(section?.questions[1]).toMatchObject({ format: 'SC', answers: [{ id: 'A7' }, { id: 'A8' }] });
  });

  it('starts with the answers of the profile given at creation, but is not complete', async () => {
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

describe('Survey permissions', () => {
  it.each([
    ['PR1', 200],
    ['PR2', 200],
    ['PR3', 403],
    ['PR4', 403],
    ['PR5', 403],
  ])('respond to every change by a member with role %s with %i', async (role, status) => {
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

  it('return 404 on every route of a project that the caller cannot see', async () => {
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
