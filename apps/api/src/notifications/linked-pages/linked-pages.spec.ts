import { EVENTS } from '#domain/notifications/webhook/webhook.rules.js';
import { startTestApi, useTestApi } from '#test/support/api.js';
import { operationsOf } from '#test/support/document.js';
import { makeProject } from '#test/support/projects.js';

const test = useTestApi();

/** A page as seen by a visitor without a session. */
const pageAt = async (path: string): Promise<{ status: number; headers: Headers; text: string }> => {
  const answer = await fetch(`${test.origin}${path}`);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

describe.each(Object.values(EVENTS))('The page linked from messages about a $subject', ({ folder }) => {
  it('is HTML that loads and runs nothing', async () => {
    const { status, headers, text } = await pageAt(`/${folder}/7/`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const directives = (headers.get('content-security-policy') ?? '').split(';');
    expect(directives.filter((directive) => !directive.startsWith('style-src')).sort()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(directives.find((directive) => directive.startsWith('style-src'))).toMatch(/^style-src 'sha256-\S+'$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).not.toMatch(/<(script|img|link|iframe|form)|\son\w+=/i);
  });

  it('links to an operation of the OpenAPI document', async () => {
    const { text } = await pageAt(`/${folder}/7/`);
    const [, tag, operation] = /\/docs\/#\/(\w+)\/(\w+)"/.exec(text) ?? [];
    const found = operationsOf(test.document).find(
      ({ method, path }) => method === 'GET' && path === `/api/v2/${folder}/{id}/`,
    );
    expect(found?.operation).toMatchObject({ operationId: operation, tags: [tag] });
    expect((await pageAt('/docs/swagger-ui-init.js')).text).toContain('"deepLinking": true');
  });

  it('returns 404 for invalid ids and 405 for methods other than GET and HEAD', async () => {
    for (const id of ['0', 'x', '7%3Cb%3E', '-1', '1'.repeat(40)])
      expect([id, (await pageAt(`/${folder}/${id}/`)).status]).toEqual([id, 404]);
    const posted = await fetch(`${test.origin}/${folder}/7/`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('The page of a project', () => {
  it('does not depend on whether the project exists and reveals nothing about it', async () => {
    const { id, name } = await makeProject(test, { fields: { name: 'Secret merger' } });
    const there = await pageAt(`/projects/${id}/`);
    const none = await pageAt('/projects/999999/');
    expect([there.status, none.status]).toEqual([200, 200]);
    expect(there.text).not.toContain(name);
    expect(there.text).toBe(none.text.replaceAll('999999', String(id)));
    expect(await pageAt(`/projects/${id}`)).toMatchObject({ status: 200, text: there.text });
  });

  it('contains a curl request that returns the project to users with a token', async () => {
    const { id, name } = await makeProject(test);
    const { text } = await pageAt(`/projects/${id}/`);
    const [, header = '', address = ''] = /curl -H "Authorization: (.+?)" (\S+?)<\/pre>/.exec(text) ?? [];
    const answer = await fetch(address, {
      headers: { Authorization: header.replace('$MERLON_TOKEN', test.organization.admin.token) },
    });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ id, name })]);
  });

  it('links to PUBLIC_URL if it is set', async () => {
    const behind = await startTestApi({ PUBLIC_URL: 'https://merlon.example.com/base/' });
    try {
      const text = await (await fetch(`${behind.origin}/projects/7/`)).text();
      expect(text).toContain('href="https://merlon.example.com/base/docs/#/Projects/projects_get"');
      expect(text).toContain(' https://merlon.example.com/base/api/v2/projects/7/</pre>');
    } finally {
      await behind.close();
    }
  });
});
