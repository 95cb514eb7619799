import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf } from '#test/support/client.js';
import { makeCountermeasure, unique, userBody } from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';
import type { Countermeasure } from '#test/support/resources.js';

const test = useTestApi();

const tagOf = async (path: string, query: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { status, headers } = await test.api.get(path, query);
  expect(status).toBe(200);
  return String(headers['etag']);
};

const onlyIf = (tag: string, api: ApiClient = test.api): ApiClient => api.with({ 'If-Match': tag });

const makeItem = async (): Promise<{ id: string; path: string }> => {
  const { id } = await makeCountermeasure(test.api, { priority: 3 });
  return { id, path: `/library/tasks/${id}/` };
};

describe('The ETag of an item', () => {
  it('is strong, and changes whenever the item changes', async () => {
    const { path } = await makeItem();
    const first = await tagOf(path);
    expect(first).toMatch(/^"[\w-]+"$/);
    expect(await tagOf(path)).toBe(first);
    await bodyOf(test.api.patch(path, { priority: 4 }));
    expect(await tagOf(path)).not.toBe(first);
  });

  it('changes with what the item shows of others', async () => {
    const { path } = await makeItem();
    const before = await tagOf(path);
    const { first_name: name } = await bodyOf(test.api.get<{ first_name: string }>('/users/me/'));
    const me = `/users/${test.organization.admin.id}/`;
    await bodyOf(test.api.patch(me, { first_name: unique('Ada') }));
    expect(await tagOf(path)).not.toBe(before);
    await bodyOf(test.api.patch(me, { first_name: name }));
    expect(await tagOf(path)).toBe(before);
  });

  it('is the same with and without include, expand and exclude', async () => {
    const tag = await tagOf('/library/tasks/T1/');
    const queries: Readonly<Record<string, string>>[] = [
      { include: 'tags,how_tos' },
      { expand: 'phase,problem' },
      { exclude: 'text' },
      { include: 'tags,references', expand: 'phase', exclude: 'title,phase', to_html: 'true' },
      { to_html: 'true' },
      { absolute_urls: 'true' },
    ];
    for (const query of queries) expect([query, await tagOf('/library/tasks/T1/', query)]).toEqual([query, tag]);
  });

  it('is the same for the original of a customized item, and with an include that changes other fields', async () => {
    const path = '/library/tasks/T9/';
    await bodyOf(test.api.patch(path, { title: unique('Customized') }));
    expect(await tagOf(path, { show_original: 'true' })).toBe(await tagOf(path));
    const { id } = await makeProject(test);
    await test.database.query(`UPDATE survey_answer SET is_active = false WHERE item_id = 'A1'`);
    const draft = `/projects/${id}/survey/draft/`;
    const shown = await bodyOf(test.api.get(draft));
    expect(await bodyOf(test.api.get(draft, { include: 'hidden' }))).not.toEqual(shown);
    expect(await tagOf(draft, { include: 'hidden' })).toBe(await tagOf(draft));
    await test.database.query(`UPDATE survey_answer SET is_active = true WHERE item_id = 'A1'`);
  });

  it('is that of the new version in the response to a PATCH, whatever the response includes', async () => {
    const { path } = await makeItem();
    for (const query of ['', '?include=tags&exclude=text']) {
      const { headers } = await test.api.patch(`${path}${query}`, { title: unique('Title') });
      expect(headers['etag']).toBe(await tagOf(path));
    }
  });
});

describe('If-None-Match', () => {
  it('returns 304 without a body for the current version', async () => {
    const tag = await tagOf('/library/tasks/T2/');
    for (const header of [tag, `"other", ${tag}`, `W/${tag}`, '*']) {
      const answer = await test.api.with({ 'If-None-Match': header }).get('/library/tasks/T2/');
      expect([answer.status, answer.text, answer.headers['etag']]).toEqual([304, '', tag]);
    }
  });

  it('returns another version', async () => {
    for (const header of ['"other"', 'T2', ''])
      expect((await test.api.with({ 'If-None-Match': header }).get('/library/tasks/T2/')).status).toBe(200);
  });
});

describe('If-Match', () => {
  it('allows a PATCH and a DELETE of the version that the client has read', async () => {
    const { path } = await makeItem();
    const { headers } = await onlyIf(await tagOf(path)).patch(path, { priority: 5 });
    await bodyOf(onlyIf(`"other", ${headers['etag']}`).patch(path, { priority: 6 }));
    await bodyOf(onlyIf(await tagOf(path)).delete(path), 204);
  });

  it('returns 412 with the current item, and changes nothing, if the item has changed since', async () => {
    const { path } = await makeItem();
    const tag = await tagOf(path);
    const current = await bodyOf(test.api.patch<Countermeasure>(path, { priority: 8 }));
    const plain = await bodyOf(test.api.get<Countermeasure>(path));
    expect(current.priority).toBe(8);
    for (const [method, body] of [
      ['PATCH', { priority: 1 }],
      ['DELETE', undefined],
    ] as const)
      for (const header of [tag, `W/${await tagOf(path)}`, '"other"', 'nonsense'])
        expect(await changesNothing(test, () => bodyOf(onlyIf(header).send(method, path, body), 412))).toEqual({
          detail: expect.stringContaining('If-Match'),
          current: plain,
        });
  });

  it('applies to a built-in item that is customized by the change', async () => {
    const path = '/library/tasks/T7/';
    const tag = await tagOf(path);
    await bodyOf(onlyIf(tag).patch(path, { priority: 2 }));
    await bodyOf(onlyIf(tag).patch(path, { priority: 3 }), 412);
    await bodyOf(onlyIf(tag).delete(path), 412);
    await bodyOf(onlyIf(await tagOf(path)).delete(path), 204);
    expect(await tagOf(path)).toBe(tag);
  });

  it('reports unknown ids, missing permissions and invalid bodies as without it', async () => {
    const { path } = await makeItem();
    const reader = await test.newUser();
    await bodyOf(onlyIf('"x"').patch('/library/tasks/CT99999/', { priority: 1 }), 404);
    await bodyOf(onlyIf('"x"', reader.api).patch(path, { priority: 1 }), 403);
    await bodyOf(onlyIf('"x"').patch(path, { priority: 11 }), 400);
  });

  it('lets only one of several changes of the same version through', async () => {
    const { path } = await makeItem();
    const tag = await tagOf(path);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => onlyIf(tag).patch(path, { title: unique(`Title ${index}`) })),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412, 412, 412, 412, 412]);
  });

  it('applies to users, whose permissions change at once', async () => {
    const { id } = await bodyOf(test.api.post<{ id: number }>('/users/', userBody()), 201);
    const path = `/users/${id}/`;
    const tag = await tagOf(path);
    await bodyOf(onlyIf(tag).patch(path, { first_name: 'Katherine' }));
    await bodyOf(onlyIf(tag).patch(path, { first_name: 'Ada' }), 412);
  });
});
