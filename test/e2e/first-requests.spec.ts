import supertest from 'supertest';
import { useTestApi } from '../support/api.js';

/** The first requests of the README, as a new user would send them: with a plain HTTP client. */
const test = useTestApi();

const send = (method: 'get' | 'post' | 'patch' | 'delete', path: string) =>
  supertest(test.origin)[method](`/api/v2/${path}`).set('Authorization', `Token ${test.organization.admin.token}`);

describe('The first requests of a new user', () => {
  it('list the starter library page by page', async () => {
    const { body } = await send('get', 'library/tasks/?page_size=5').expect(200).expect('Content-Type', /json/);
    expect(Object.keys(body as object)).toEqual(['count', 'next', 'previous', 'results']);
  });

  it('make a countermeasure of their own, and find it', async () => {
    const made = await send('post', 'library/tasks/')
      .send({ title: 'Keep a pepper', text: 'Outside of the **database**.', problem: 'P1', priority: 7, phase: 'X3' })
      .expect(200);
    const { id } = made.body as { id: string };
    expect(id).toMatch(/^CT[1-9]\d*$/);
    await send('get', `library/tasks/${id}/?to_html=true`)
      .expect(200)
      .expect(/<strong>database<\/strong>/);
    await send('delete', `library/tasks/${id}/`).expect(204);
  });

  it('change a built-in countermeasure for their organization, and take the change back', async () => {
    const changed = await send('patch', 'library/tasks/T1/').send({ priority: 3 }).expect(200);
    expect(changed.body).toMatchObject({ id: 'T1', type: 'Built-in Modified', priority: 3 });
    await send('delete', 'library/tasks/T1/').expect(204);
    const restored = await send('get', 'library/tasks/T1/').expect(200);
    expect(restored.body).toMatchObject({ type: 'Built-in' });
  });

  it('are told what is wrong with a body', async () => {
    const refused = await send('post', 'library/tasks/').send({ priority: 99 }).expect(400);
    expect(Object.keys(refused.body as object).sort()).toEqual(['phase', 'priority', 'problem', 'text', 'title']);
  });
});
