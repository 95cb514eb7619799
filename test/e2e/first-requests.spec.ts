import supertest from 'supertest';
import { useTestApi } from '../support/api.js';
import type { Json } from '../support/client.js';
import { documentation } from '../support/shell-examples.js';

/**
 * What a new user sends first, with a plain HTTP client: the examples of the page about the API, and more of the kind.
 */
const test = useTestApi();

const PAGE = documentation('docs/integrate/api.md');

interface Example {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The error that the page shows, if any. */
  readonly rejection: Json | undefined;
}

/**
 * The calls of the shell function `merlon`, each with what the page shows below it: a comment, or a block of JSON.
 */
const EXAMPLES: readonly Example[] = [
  ...PAGE.matchAll(
    /^merlon (?:-X (\w+) )?(?:-H '([\w-]+): ([^']+)' )?"\$API\/([^"]+)"(?: -d '([^']+)')?(?: +#[^\n]*)?\n(?:# (\{[^\n]*\}))?(?:```\n\n```json\n(.*?)```)?/gms,
  ),
].map(([, method, name, value, address = '', body, line, block]) => {
  const rejection = line ?? block;
  return {
    method: (method?.toLowerCase() ?? (body === undefined ? 'get' : 'post')) as Example['method'],
    path: address,
    headers: name === undefined || value === undefined ? {} : { [name]: value },
    body,
    rejection: rejection === undefined ? undefined : (JSON.parse(rejection) as Json),
  };
});

const send = (method: 'get' | 'post' | 'patch' | 'delete', path: string) =>
  supertest(test.origin)[method](`/api/v2/${path}`).set('Authorization', `Token ${test.organization.admin.token}`);

describe('The examples of the API in two pages', () => {
  it('are all recognized', () => {
    expect(EXAMPLES).toHaveLength(PAGE.match(/^merlon /gm)?.length ?? 0);
    expect(EXAMPLES.filter(({ rejection }) => rejection !== undefined)).toHaveLength(2);
  });

  it.each(EXAMPLES)('work as shown: $method $path', async ({ method, path: address, headers, body, rejection }) => {
    const request = send(method, address).set(headers);
    const answer = await (body === undefined ? request : request.type('json').send(body));
    if (rejection === undefined) {
      expect({ ok: answer.ok, text: answer.text }).toMatchObject({ ok: true });
      expect(answer.text).not.toContain('"http_status_code":4');
    } else expect({ status: answer.status, body: answer.body as Json }).toEqual({ status: 400, body: rejection });
  });
});

describe('The first requests of a new user', () => {
  it('list a page of the starter library', async () => {
    const { body } = await send('get', 'library/tasks/?page_size=5').expect(200).expect('Content-Type', /json/);
    expect(Object.keys(body as object)).toEqual(['count', 'next', 'previous', 'results']);
  });

  it('create, read and delete a custom countermeasure', async () => {
    const created = await send('post', 'library/tasks/')
      .send({ title: 'Keep a pepper', text: 'Outside of the **database**.', problem: 'P1', priority: 7, phase: 'X3' })
      .expect(200);
    const { id } = created.body as { id: string };
    expect(id).toMatch(/^CT[1-9]\d*$/);
    await send('get', `library/tasks/${id}/?to_html=true`)
      .expect(200)
      .expect(/<strong>database<\/strong>/);
    await send('delete', `library/tasks/${id}/`).expect(204);
  });

  it('change a built-in countermeasure and restore the original', async () => {
    const changed = await send('patch', 'library/tasks/T1/').send({ priority: 3 }).expect(200);
    expect(changed.body).toMatchObject({ id: 'T1', type: 'Built-in Modified', priority: 3 });
    await send('delete', 'library/tasks/T1/').expect(204);
    const restored = await send('get', 'library/tasks/T1/').expect(200);
    expect(restored.body).toMatchObject({ type: 'Built-in' });
  });

  it('return an error for each invalid field of a body', async () => {
    const rejected = await send('post', 'library/tasks/').send({ priority: 99 }).expect(400);
    expect(Object.keys(rejected.body as object).sort()).toEqual(['phase', 'priority', 'problem', 'text', 'title']);
  });
});
