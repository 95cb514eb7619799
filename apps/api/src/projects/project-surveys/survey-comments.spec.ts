import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { addMember, makeProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';
import { type Comment, commentsOf, useSurveys } from '#test/support/surveys.js';

const { test } = useSurveys();

describe('Survey comments', () => {
  it('are created for a question, filtered by question and updated', async () => {
    const { id } = await makeProject(test);
    const created = await bodyOf(
      test.api.post<Comment>(commentsOf(id), { question: 'Q2', text: 'Ask the **team**.' }),
      201,
    );
    expect(created).toEqual({
      id: created.id,
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
    expect(await rowsOf(test.api.get<List<Comment>>(commentsOf(id), { question: 'Q2' }))).toEqual([created]);
    const changed = await bodyOf(
      test.api.patch<Comment>(`${commentsOf(id)}${created.id}/`, { text: 'Asked.', pinned: true }),
    );
    expect(changed).toMatchObject({ text: 'Asked.', pinned: true, question: 'Q2' });
  });

  it('record an activity when they are created and updated', async () => {
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

  it('can be edited only by their author, and their text only while they are not locked', async () => {
    const project = await makeProject(test);
    const developer = await test.newUser();
    await addMember(test, project, developer, 'PR4');
    const created = await bodyOf(
      developer.api.post<Comment>(commentsOf(project.id), { question: 'Q1', text: 'Mine' }),
      201,
    );
    const path = `${commentsOf(project.id)}${created.id}/`;
    await changesNothing(test, () => bodyOf(test.api.patch(path, { text: 'Yours' }), 403));
    await bodyOf(test.api.patch(path, { locked: true }));
    await changesNothing(test, () => bodyOf(developer.api.patch(path, { text: 'Again mine' }), 400));
    await bodyOf(test.api.patch(path, { text: 'Mine', pinned: true }));
    await bodyOf(developer.api.patch(path, { text: 'Again mine', locked: false }));
  });

  it('are deleted by their author and by leads, and the activity keeps the previous text', async () => {
    const project = await makeProject(test);
    const [author, other] = [await test.newUser(), await test.newUser()];
    for (const user of [author, other]) await addMember(test, project, user, 'PR4');
    const comment = async (): Promise<string> => {
      const body = { question: 'Q1', text: 'Mine' };
      const { id } = await bodyOf(author.api.post<Comment>(commentsOf(project.id), body), 201);
      return `${commentsOf(project.id)}${id}/`;
    };
    const [first, second] = [await comment(), await comment()];
    await changesNothing(test, () => bodyOf(other.api.delete(first), 403));
    const activities = await activitiesOf(test, async () => {
      await bodyOf(author.api.patch(first, { text: 'Still mine' }));
      await bodyOf(author.api.delete(first), 204);
      await bodyOf(test.api.delete(second), 204);
    });
    expect(activities).toMatchObject([
      { name: 'UpdatedNoteActivity', data: { question: 'Q1', previous_desc: 'Mine' } },
      { name: 'DeletedNoteActivity', data: { question: 'Q1', previous_desc: 'Still mine' } },
      { name: 'DeletedNoteActivity', data: { question: 'Q1', previous_desc: 'Mine' } },
    ]);
    await bodyOf(test.api.delete(first), 404);
  });

  it.each([
    [{}, ['question', 'text']],
    [{ question: 'Q9999', text: 'x' }, ['question']],
    [{ question: 'A1', text: 'x' }, ['question']],
    [{ question: 'Q1', text: null }, ['text']],
    [{ question: 'Q1', text: 'a\0b' }, ['text']],
    [{ question: 'Q1', text: 'x'.repeat(100_001) }, ['text']],
    [{ question: 'Q1', text: 'x', pinned: 'maybe' }, ['pinned']],
  ])('are rejected with %j, and nothing changes', async (body, fields) => {
    const { id } = await makeProject(test);
    await changesNothing(test, async () => {
      expect(await rejectedFields(test.api.post(commentsOf(id), body))).toEqual(fields);
    });
  });
});
