import { EntityManager } from '@mikro-orm/postgresql';
import { createSetupLink } from '#domain/access/setup-link/setup-link.commands.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { BASE, filled, type Id, idsAt, namesIn, withinItems } from '../property/places.js';
import { fillPool } from '../property/pool.js';
import type { Pool } from '../property/values.js';
import { startTestApi, type TestApi, type TestUser } from '../support/api.js';
import { type Answer, type ApiClient, bodyOf, type Json } from '../support/client.js';
import { committedDocument, type Content, dereferenced, type JsonSchema, operationsOf } from '../support/document.js';
import { makeReadyImport } from '../support/imports.js';
import { reportClient } from '../support/reports.js';
import { setPasswordOf } from '../support/set-password.js';
import { authPath, browserWith, cookieOf, inviteUser, pageOf } from '../support/sessions.js';
import { commandsIn, documentation, requestOf, sectionOf } from '../support/shell-examples.js';
import { temporaryFolder } from '../support/worker.js';

const DOCUMENT = committedDocument();

/** Operations whose body is JSON, with its example. Another test sees that the committed document is what is served. */
const OPERATIONS = operationsOf(DOCUMENT).flatMap(({ path, method, operation }) => {
  const { schema, example } = operation.requestBody?.content['application/json'] ?? {};
  return schema ? [{ title: `${method} ${path}`, method, path, example: example as Record<string, Json> }] : [];
});

/** Of the answer to a composite request, which is a 200 whatever became of its parts: those that failed. */
const failedParts = (body: unknown): object[] =>
  ((body as { composite_response?: { http_status_code: number }[] } | undefined)?.composite_response ?? []).filter(
    ({ http_status_code: status }) => status >= 300,
  );

describe('Examples of request bodies', () => {
  let test: TestApi;
  let superUser: TestUser;
  let pool: Record<string, readonly Id[]>;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    test = await startTestApi({ DATA_DIR: folder.path });
    superUser = await test.newUser({ superUser: true });
    pool = { ...(await fillPool(test, superUser)) };
    // Who follows the walk-through tries the examples next.
    const commands = commandsIn(documentation('docs/use/walk-through.md'));
    const { body = '' } = requestOf(commands.find((words) => words.includes('$API/composite/')) ?? []);
    const composite = JSON.parse(body) as object;
    const { composite_response: parts } = await bodyOf(
      superUser.api.post<{ composite_response: readonly unknown[] }>('/composite/', composite),
    );
    expect([parts.length, failedParts({ composite_response: parts })]).toEqual([3, []]);
  });

  afterAll(async () => {
    await test.close();
    await folder.remove();
  });

  /** A user whose password is the one in the example. */
  async function basicClient(password: string): Promise<ApiClient> {
    const { id, email } = await test.newUser();
    await setPasswordOf(test, id, password);
    const credentials = Buffer.from(`${email}:${password}`).toString('base64');
    return test.api.as(null).with({ Authorization: `Basic ${credentials}` });
  }

  /** Whoever an operation expects. */
  async function callerOf(title: string, example: Record<string, Json>): Promise<ApiClient> {
    if (title.includes('/cubejs-api/')) return reportClient(test, superUser);
    if (title === `POST ${BASE}/users/me/password/`) return basicClient(String(example['current_password']));
    // It names every additional requirement of a built-in countermeasure; those of the pool have more.
    // A policy of tokens would reject those of later examples, and a flag changes how conditions are written.
    if (['/amendments/order/', '/token-policy/', '/flags/'].some((end) => title.endsWith(end)))
      return (await test.newOrganization()).api;
    return superUser.api;
  }

  /** Sends a request of the sign-in, in a deployment whose first user is the one of the examples. */
  async function signInWith(path: string, example: Record<string, Json>): Promise<Answer> {
    const deployment = await startTestApi();
    try {
      const em = deployment.running.app.get(EntityManager);
      const { token } = await acrossOrganizations(em, 'operate the deployment', createSetupLink);
      const page = pageOf(deployment);
      const exampleOf = (name: string) => OPERATIONS.find(({ title }) => title === `POST /auth/${name}/`)?.example;
      // Only the secret of a link works; the example has one of the same form.
      const setUp = await page.post(authPath(deployment, 'setup'), { ...exampleOf('setup'), token });
      if (path === '/auth/setup/') return setUp;
      if (path.startsWith('/auth/invitation/')) {
        const { id } = await deployment.newUser();
        const secret = await inviteUser(deployment, id);
        return await page.post(`${deployment.origin}${path}`, { ...example, token: secret });
      }
      const client = path === '/auth/login/' ? page : browserWith(deployment, cookieOf(setUp) ?? '');
      return await client.post(`${deployment.origin}${path}`, example);
    } finally {
      await deployment.close();
    }
  }

  it('for POST /api/v2/composite/ use references and produce the documented response', async () => {
    const operation = operationsOf(DOCUMENT).find(({ path }) => path === `${BASE}/composite/`)?.operation;
    const schemaOf = (content: Content | undefined): JsonSchema =>
      dereferenced(content?.['application/json']?.schema ?? {}, DOCUMENT);
    const example = operation?.requestBody?.content['application/json']?.example as Record<string, Json>;
    const answered = schemaOf(operation?.responses['200']?.content)['example'];
    expect(JSON.stringify(example)).toContain('@{weakness.id}');

    const { api } = await test.newOrganization();
    const { status, body } = await api.post('/composite/', example);
    expect([status, body]).toMatchObject([200, answered as object]);

    const shown = sectionOf(documentation('docs/integrate/api-batches.md'), 'Composite requests');
    const [request, answer] = [...shown.matchAll(/```json\n(.*?)```/gs)].map(
      ([, json = '']): Json => JSON.parse(json) as Json,
    );
    expect([request, answer]).toEqual([{ composite_request: example['composite_request'] }, answered]);
  });

  it.each(OPERATIONS)('are accepted as Swagger UI fills them in: $title', async ({ title, path, method, example }) => {
    if (path === `${BASE}/library/import/{id}/`) pool[`${BASE}/library/import`] = [(await makeReadyImport(test)).id];
    const ids = namesIn(path).map((name) => String(idsAt(pool as Pool, path, name)[0]));
    const { status, text, body } = path.startsWith('/auth/')
      ? await signInWith(path, example)
      : await (await callerOf(title, example)).send(method, `${test.origin}${filled(path, ids)}`, example);
    if (status >= 300 || failedParts(body).length) throw new Error(`${status} ${text} for ${JSON.stringify(example)}`);
    // What was made is what the next operations work on; names are unique.
    const collectionPath = path.replace(/\/$/, '');
    const createdId = method === 'POST' ? (body as { id?: Id } | undefined)?.id : undefined;
    if (createdId !== undefined)
      pool[collectionPath] = pool[withinItems(collectionPath)] = [createdId, ...(pool[collectionPath] ?? [])];
    if (method === 'DELETE') pool[`${BASE}/library/problems`] = pool[`${BASE}/library/problems`]?.slice(1) ?? [];
  });
});
