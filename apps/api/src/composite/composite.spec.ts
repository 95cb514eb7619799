import { Client } from 'pg';
import { bodyOf, type Json } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { makeWeakness, seedCountermeasures, unique } from '#test/support/factories.js';
import { activitiesOf } from '#test/support/records.js';
import { type Loaded, queryBody } from '#test/support/reports.js';
import { type Sub, post, get, weakness, statusesOf, useComposites } from '#test/support/composites.js';

const { test, run, titles } = useComposites();

describe('A composite request', () => {
  it('returns 200 with reference_id, http_status_code and body for each request, in order', async () => {
    const title = unique();
    const answers = await run([
      weakness('made', { title }),
      get('library/problems/@{made.id}/', 'read'),
      { method: 'PATCH', path: 'library/problems/@{made.id}/', reference_id: 'changed', body: { risk_rating: 9 } },
      { method: 'DELETE', path: 'library/problems/@{made.id}/', reference_id: 'gone' },
    ]);
    expect(answers).toEqual([
      { reference_id: 'made', http_status_code: 200, body: expect.objectContaining({ title, risk_rating: 5 }) },
      { reference_id: 'read', http_status_code: 200, body: expect.objectContaining({ title }) },
      { reference_id: 'changed', http_status_code: 200, body: expect.objectContaining({ title, risk_rating: 9 }) },
      { reference_id: 'gone', http_status_code: 204, body: null },
    ]);
    expect(await run([])).toEqual([]);
  });

  it('accepts full and relative paths, with and without a leading slash, with a query', async () => {
    const paths = [
      '/api/v2/library/problems/P1/',
      'api/v2/library/problems/P1',
      '/library/problems/P1/?exclude=text',
      'library/problems/P1?exclude=text&show_original=true',
    ];
    const answers = await run(paths.map((path, index) => get(path, String(index))));
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
    expect(answers.map(({ body }) => Object.hasOwn(body as object, 'text'))).toEqual([true, true, false, false]);
    const [whole, page] = await run([get('phases', 'a'), get('phases/?page_size=2', 'b')]);
    expect(Object.keys(whole?.body as object)).toEqual(['results']);
    expect(page?.body).toMatchObject({
      next: expect.stringMatching(new RegExp(`^${test.origin}/api/v2/phases/\\?page_size=2&page=2`)),
    });
    const [found] = await run([get('library/problems/?search=gänsefüße „x“', 'a')]);
    expect(found).toMatchObject({ http_status_code: 200, body: { results: [] } });
  });

  it('returns for each request the same response as when it is sent separately', async () => {
    const requests: Sub[] = [
      get('library/tasks/T1/?include=match_conditions,tags&expand=phase,problem', 'a'),
      get('library/problems/?page_size=3&ordering=-id', 'b'),
      get('users/me/', 'c'),
      get('library/tasks/?priority=11', 'd'),
      get('library/tasks/NO/', 'e'),
      get('nowhere/', 'f'),
      get('library/tasks/?page=9999&page_size=100', 'g'),
      { method: 'DELETE', path: 'phases/X1/', reference_id: 'h' },
      { method: 'PATCH', path: 'library/tasks/', reference_id: 'i', body: {} },
      post('library/tasks/', 'j', { title: '', problem: 'P999', priority: 99 }),
      post('library/tasks/', 'k', []),
      post('library/tasks/', 'l', 'text'),
      post('flags/', 'm', undefined),
    ];
    const answers = await run(requests, { all_or_none: false });
    for (const [index, { method, path, body }] of requests.entries()) {
      const alone = await test.api.send(method, `/${path}`, body);
      expect([path, answers[index]?.http_status_code, answers[index]?.body]).toEqual([path, alone.status, alone.body]);
    }
  });

  it('accepts null for the body of a request without a body', async () => {
    const { id } = await makeWeakness(test.api);
    const answers = await run([
      { method: 'GET', path: 'flags/', reference_id: 'a', body: null },
      { method: 'DELETE', path: `library/problems/${id}/`, reference_id: 'b', body: null },
    ]);
    expect(statusesOf(answers)).toEqual([200, 204]);
  });

  it('returns streamed lists completely', async () => {
    const organization = await test.newOrganization();
    await seedCountermeasures(test, organization, 3000);
    const requests = [
      weakness('made'),
      get('library/tasks/?type__in=Custom&exclude=text', 'list'),
      get('library/tasks/?type__in=Custom', 'again'),
    ];
    for (const options of [{}, { all_or_none: false }]) {
      const answers = await run(
        requests.map((request) => ({ ...request, ...(request.body ? weakness('made') : {}) })),
        options,
        organization.api,
      );
      expect(statusesOf(answers)).toEqual([200, 200, 200]);
      for (const { body } of answers.slice(1)) expect((body as { results: Json[] }).results).toHaveLength(3000);
    }
  });
});

describe('all_or_none', () => {
  it('defaults to true: rolls everything back after the first failure and returns 424 for the others', async () => {
    const marker = unique('rolled back');
    const requests = [
      weakness('a', { title: `${marker} a` }),
      weakness('b', { title: `${marker} b` }),
      weakness('c', { risk_rating: 99 }),
      weakness('d', { title: `${marker} d` }),
    ];
    const activities = await activitiesOf(test, async () => {
      const answers = await run(requests);
      expect(answers).toEqual([
        { reference_id: 'a', http_status_code: 424, body: { detail: expect.stringMatching(/^Not executed: /) } },
        { reference_id: 'b', http_status_code: 424, body: { detail: expect.stringMatching(/^Not executed: /) } },
        { reference_id: 'c', http_status_code: 400, body: { risk_rating: [expect.any(String)] } },
        { reference_id: 'd', http_status_code: 424, body: { detail: expect.stringMatching(/^Not executed: /) } },
      ]);
    });
    expect(activities).toEqual([]);
    expect(await titles(marker)).toEqual([]);
  });

  it('executes each request independently if false', async () => {
    const marker = unique('each');
    const requests = [
      weakness('a', { title: `${marker} a` }),
      weakness('b', { risk_rating: 99 }),
      weakness('c', { title: `${marker} c` }),
    ];
    const answers = await run(requests, { all_or_none: 'False' });
    expect(statusesOf(answers)).toEqual([200, 400, 200]);
    expect((await titles(marker)).sort()).toEqual([`${marker} a`, `${marker} c`]);
  });

  it('uses one transaction, of which others see no part, but later requests see earlier changes', async () => {
    const marker = unique('unseen');
    const seen: number[] = [];
    const stop = new AbortController();
    const watcher = (async () => {
      while (!stop.signal.aborted) seen.push((await titles(marker)).length);
    })();
    const requests = Array.from({ length: 20 }, (_, index) => weakness(`w${index}`, { title: `${marker} ${index}` }));
    const answers = await run([...requests, get(`library/problems/?search=${marker}`, 'list')]);
    stop.abort();
    await watcher;
    expect(answers.at(-1)?.body).toEqual({ results: Array.from({ length: 20 }, () => expect.any(Object)) });
    expect(new Set([...seen, 0, 20])).toEqual(new Set([0, 20]));
    expect(await titles(marker)).toHaveLength(20);
  });

  it('writes the activities of all requests', async () => {
    const activities = await activitiesOf(test, () => run([weakness('a'), weakness('b')]));
    expect(activities.map(({ name }) => name)).toEqual(['CreatedWeaknessActivity', 'CreatedWeaknessActivity']);
  });

  it('announces jobs only after the commit, and never after a rollback', async () => {
    const listener = new Client({ connectionString: test.database.url });
    await listener.connect();
    try {
      const seen: number[] = [];
      const jobs = async (): Promise<number> =>
        Number((await test.database.query<{ n: string }>('SELECT count(*) AS n FROM export_job'))[0]?.n);
      const counts: Promise<void>[] = [];
      listener.on('notification', () => counts.push(jobs().then((count) => void seen.push(count))));
      await listener.query('LISTEN merlon_due');
      const before = await jobs();
      const exportRequest = { type: 'content', file_format: 'json', content_models: ['threat'] };
      await run([post('library/export/', 'job', exportRequest), weakness('bad', { risk_rating: 99 })]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect([await jobs(), seen]).toEqual([before, []]);
      const slow = Array.from({ length: 15 }, (_, index) => weakness(`w${index}`));
      await run([post('library/export/', 'job', exportRequest), ...slow]);
      await eventually(() => counts.length > 0);
      await new Promise((resolve) => setTimeout(resolve, 100)); // in which a second notification would arrive
      await Promise.all(counts);
      expect(seen).toEqual([before + 1]);
    } finally {
      await listener.end();
    }
  });

  it('retries as a whole after a conflict with another transaction', async () => {
    const [one, two] = [await makeWeakness(test.api), await makeWeakness(test.api)];
    const change = (id: string, reference: string): Sub => ({
      method: 'PATCH',
      path: `library/problems/${id}/`,
      reference_id: reference,
      body: { text: unique() },
    });
    for (let round = 0; round < 5; round += 1) {
      const both = await Promise.all([
        run([change(one.id, 'a'), get('library/tasks/?page_size=500', 'wait'), change(two.id, 'b')]),
        run([change(two.id, 'a'), get('library/tasks/?page_size=500', 'wait'), change(one.id, 'b')]),
      ]);
      expect(both.map(statusesOf)).toEqual([
        [200, 200, 200],
        [200, 200, 200],
      ]);
    }
    expect(test.log.join('')).not.toContain('Unexpected error');
  });
});

describe('A report in a composite request', () => {
  it('returns the same rows as when it is run separately', async () => {
    const { id } = await bodyOf(test.api.post<{ id: number }>('/queries/', queryBody()), 201);
    const path = `/queries/${id}/run/`;
    const { lastRefreshTime: _, ...alone } = await bodyOf(test.api.get<Loaded>(path));
    const [part] = await run([get(path, 'r')]);
    expect(part).toMatchObject({ http_status_code: 200, body: alone });
    expect(statusesOf(await run([get(`${path}?format=json`, 'r')]))).toEqual([200]);
  });
});
