import { request } from 'node:http';
import { json as jsonOf } from 'node:stream/consumers';
import { useTestApi } from '#test/support/api.js';
import { type Answer, bodyOf, type Json } from '#test/support/client.js';
import { committedDocument, operationsOf } from '#test/support/document.js';
import { countermeasureBody, makeCountermeasure } from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';
import { reportClient } from '#test/support/reports.js';

const test = useTestApi();
const countermeasures = '/library/tasks/';
const headers = { 'Content-Type': 'application/json' };
const NOT_FOUND = { detail: 'Not found.' };

const repeated = (count: number, entry: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => entry(index)).join(',');
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const unknownKeys = (count: number): string => `{${repeated(count, (index) => `"${index.toString(36)}":0`)}}`;

/** The attacks took 8 to 43 seconds; a busy machine needs some of this time for the 5 MB of each request. */
const MAX_MILLISECONDS = 3000;

/** The response, which must come quickly and be small, and leave the API responsive. */
async function quickly<Body>(send: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
  const start = performance.now();
  const answer = await send();
  expect(performance.now() - start).toBeLessThan(MAX_MILLISECONDS);
  expect(answer.text.length).toBeLessThan(5000);
  const health = await fetch(`${test.origin}/healthz`);
  expect(health.status).toBe(200);
  return answer;
}

describe('Fast rejection of a body with too many values', () => {
  const findings = `{"findings":[${repeated(900_000, () => '{}')}]}`;
  const tooLong = ['Ensure this field has no more than 10000 elements.'];

  it('returns 404 for 900,000 findings in a project that the caller cannot see', async () => {
    const { api } = await test.newUser();
    const hidden = await makeProject(test);
    for (const id of [999999, hidden.id]) {
      const path = `/projects/${id}/tasks/${id}-T1/analysis-notes/`;
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => quickly(() => api.post(path, undefined, { raw: findings, headers }))),
      );
      expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [404, NOT_FOUND]));
    }
  });

  it('returns 400 for 900,000 findings in a project that the caller can see', async () => {
    const { id } = await makeProject(test);
    const [task] = (await bodyOf(test.api.get<{ results: { id: string }[] }>(`/projects/${id}/tasks/`))).results;
    const path = `/projects/${id}/tasks/${task?.id}/analysis-notes/`;
    const { status, body } = await quickly(() => test.api.post(path, undefined, { raw: findings, headers }));
    expect([status, body]).toEqual([400, { findings: tooLong }]);
  });

  it('returns 400 for 300,000 match conditions and changes nothing', async () => {
    const raw = `{"title":"x","match_conditions":[${repeated(300_000, () => '{}')}]}`;
    const { status, body } = await quickly(() =>
      changesNothing(test, () => test.api.post(countermeasures, undefined, { raw, headers })),
    );
    expect([status, body]).toEqual([400, { match_conditions: tooLong }]);
  });

  it('does not validate the entries of a list of objects that is too long', async () => {
    const body = countermeasureBody({ match_conditions: Array.from({ length: 10_000 }, () => ({ bogus: 1 })) });
    const answer = await quickly(() => test.api.strict.post(countermeasures, body));
    expect([answer.status, answer.body]).toEqual([
      400,
      { match_conditions: ['Ensure this field has no more than 200 elements.'] },
    ]);
  });

  it('returns 400 for 201 match conditions of an item, or 101 answers in a list of one', async () => {
    const answers = Array.from({ length: 101 }, (_, n) => `A${n + 1}`);
    const tooMany = [
      [Array.from({ length: 201 }, () => ({ required: ['A1'] })), ['Ensure this field has no more than 200 elements.']],
      [[{ required: answers }], [{ required: ['Ensure this field has no more than 100 elements.'] }]],
      [[{ excluded: answers }], [{ excluded: ['Ensure this field has no more than 100 elements.'] }]],
    ];
    for (const [conditions, messages] of tooMany) {
      const { status, body } = await changesNothing(test, () =>
        test.api.post(countermeasures, countermeasureBody({ match_conditions: conditions })),
      );
      expect([status, body]).toEqual([400, { match_conditions: messages }]);
    }
    await bodyOf(
      test.api.post(
        countermeasures,
        countermeasureBody({
          match_conditions: Array.from({ length: 200 }, () => ({ required: Array<string>(100).fill('A1') })),
        }),
      ),
    );
  });

  it.each([
    ['560,000 keys', unknownKeys(560_000), 'non_field_errors'],
    ['1,001 keys', unknownKeys(1001), 'non_field_errors'],
    ['1,001 keys in a field', `{"bogus":${unknownKeys(1001)}}`, 'bogus'],
    ['10,001 entries below a field', `{"bogus":{"a":[${repeated(10_001, () => '0')}]}}`, 'bogus'],
    ['10,001 entries of a bare list', `[${repeated(10_001, () => '0')}]`, 'non_field_errors'],
    ['33 levels', `{"bogus":${nested(32)}}`, 'bogus'],
    ['five million levels', '['.repeat(5_000_000), 'non_field_errors'],
    ['200,001 values', `{"bogus":[${repeated(25, () => `[${repeated(8000, () => '0')}]`)}]}`, 'bogus'],
  ])('returns 400 for %s', async (_, raw, field) => {
    for (const api of [test.api, test.api.strict]) {
      const { status, body } = await quickly(() => api.post<object>(countermeasures, undefined, { raw, headers }));
      expect([status, body]).toEqual([400, { [field]: [expect.any(String)] }]);
    }
  });

  it.each([
    ['1,000 keys', unknownKeys(1000)],
    ['10,000 entries', `{"bogus":[${repeated(10_000, () => '0')}]}`],
    ['32 levels', `{"bogus":${nested(31)}}`],
    ['brackets, commas and quotes in texts', JSON.stringify({ bogus: '"[,{\\'.repeat(200_000) })],
    ['texts of 5 MB', JSON.stringify({ bogus: 'ä\n"'.repeat(800_000) })],
  ])('accepts %s', async (_, raw) => {
    const { id } = await makeCountermeasure(test.api);
    await bodyOf(test.api.patch(`${countermeasures}${id}/`, undefined, { raw, headers }));
  });

  it('returns 400 for too many values in a part of a composite request and in the query of a report', async () => {
    const body = { title: 'x', bogus: Array.from({ length: 10_001 }, () => 0) };
    const composite_request = [{ method: 'POST', path: countermeasures, reference_id: 'a', body }];
    const whole = await quickly(() => test.api.post('/composite/', { composite_request }));
    expect([whole.status, whole.body]).toEqual([400, { composite_request: [expect.any(String)] }]);

    const report = await reportClient(test);
    const query = `{"measures":[${repeated(900_000, () => '{}')}]}`;
    const load = await quickly(() => report.post<object>(`${test.origin}/cubejs-api/v1/load`, { query }));
    expect([load.status, load.body]).toEqual([400, { type: 'UserError', error: expect.stringContaining('measures') }]);
  });
});

describe('Checks before reading the body', () => {
  /** Announces a body that is never sent. */
  const statusWithoutBody = (method: string, path: string, token: string): Promise<[number | undefined, unknown]> =>
    new Promise((resolve, reject) => {
      const sent = request(`${test.origin}${path}`, {
        method,
        headers: { ...headers, Authorization: `Token ${token}`, 'Content-Length': 1000 },
        timeout: 5000,
      });
      sent
        .once('error', reject)
        .once('timeout', () => sent.destroy(new Error(`${method} ${path} waits for the body.`)))
        .once('response', (response) => {
          resolve(
            jsonOf(response)
              .then((body): [number | undefined, unknown] => [response.statusCode, body])
              .finally(() => sent.destroy()),
          );
        });
      sent.flushHeaders();
    });

  const inProjects = operationsOf(committedDocument()).filter(
    ({ path, method, operation }) =>
      method !== 'GET' &&
      path.startsWith('/api/v2/projects/{') &&
      !operation.requestBody?.content['multipart/form-data'],
  );

  it.each(inProjects.map(({ path, method }) => [method, path]))(
    'returns 404 for %s %s in a project that the caller cannot see, before the body is read',
    async (method, path) => {
      const within = (project: number): string =>
        path.replace(/\{\w+\}/, String(project)).replace(/\{\w+\}/g, '999999');
      const hidden = await makeProject(test);
      const { token } = await test.newUser();
      expect(await statusWithoutBody(method, within(hidden.id), token)).toEqual([404, NOT_FOUND]);
      expect(await statusWithoutBody(method, within(999999), test.organization.admin.token)).toEqual([404, NOT_FOUND]);
    },
  );

  it('returns 403 for a missing permission before the body is read', async () => {
    const { token } = await test.newUser();
    const [status] = await statusWithoutBody('POST', '/api/v2/library/tasks/', token);
    expect(status).toBe(403);
  });

  it('returns 404 for an unknown id, and otherwise 413, if the body turns out to be too large', async () => {
    const limited = async (path: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request(`${test.origin}/api/v2${path}`, {
          method: 'PATCH',
          headers: { ...headers, Authorization: `Token ${test.organization.admin.token}` },
        });
        sent
          .once('error', reject)
          .once('response', (response) => response.resume().once('end', () => resolve(response.statusCode)));
        for (let piece = 0; piece < 6; piece += 1) sent.write(' '.repeat(1024 * 1024));
        sent.end();
      });
    expect([await limited('/library/tasks/T999999/'), await limited('/library/tasks/T1/')]).toEqual([404, 413]);
  });
});

describe('Limits on an error body', () => {
  type Messages = Record<string, Json>;

  it('lists at most ten of a thousand unknown keys', async () => {
    const { status, body } = await quickly(() =>
      test.api.strict.post<Messages>(countermeasures, undefined, { raw: unknownKeys(1000), headers }),
    );
    const { non_field_errors: more, ...fieldErrors } = body;
    expect([status, Object.keys(fieldErrors).length]).toEqual([400, 10]);
    expect(more).toEqual([expect.stringMatching(/^… and 99\d more\.$/)]);
  });

  it('lists at most ten errors of a list of objects, each at its index', async () => {
    const match_conditions = Array.from({ length: 100 }, (_, index) =>
      index % 2 ? { required: ['A1'], bogus: 1 } : { required: ['A1'] },
    );
    const { status, body } = await quickly(() =>
      test.api.strict.post<Messages>(countermeasures, countermeasureBody({ match_conditions })),
    );
    const unknown = { bogus: ['This field is unknown.'] };
    expect([status, body]).toEqual([
      400,
      {
        match_conditions: Array.from({ length: 20 }, (_, index) => (index % 2 ? unknown : {})),
        non_field_errors: ['… and 40 more.'],
      },
    ]);
  });

  it('lists at most ten messages of one field', async () => {
    const tasks = Array.from({ length: 500 }, (_, n) => `T${900_000 + n}`);
    const { body } = await quickly(() =>
      test.api.post<Messages>('/library/components/', { title: 'x', tasks_implemented: tasks }),
    );
    expect(body['tasks_implemented']).toHaveLength(10);
    expect(body['non_field_errors']).toEqual(['… and 490 more.']);
  });

  it('lists at most ten unknown query parameters', async () => {
    const query = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, 1]));
    const { status, body } = await quickly(() => test.api.strict.get<Messages>(countermeasures, query));
    expect([status, Object.keys(body).length]).toEqual([400, 11]);
    expect(body['non_field_errors']).toEqual(['… and 990 more.']);
  });

  it('shortens the parts of the request that it repeats', async () => {
    const long = 'x'.repeat(10_000);
    const sent: (() => Promise<Answer>)[] = [
      () => test.api.strict.post(countermeasures, countermeasureBody({ ['k'.repeat(1_000_000)]: 1 })),
      () => test.api.get(countermeasures, { ordering: long }),
      () => test.api.strict.get(countermeasures, { [long]: 1 }),
      () => test.api.post('/library/components/', { title: 'x', tasks_implemented: ['T'.repeat(99)] }),
      () => test.api.post('/webhooks/', { name: 'x', url: 'https://example.com', events: [long.repeat(100)] }),
      // The validation library would insert the value at each of these positions of its own message.
      () => test.api.post('/applications/', { name: 'x', priority: '$value'.repeat(100_000) }),
      () => test.api.post(countermeasures, undefined, { raw: 'x', headers: { 'Content-Type': long } }),
      () =>
        test.api.post('/composite/', {
          composite_request: [{ method: 'GET', path: '/tags/', reference_id: 'a', body: `@{${long}}` }],
          strict_ref_checking: true,
        }),
    ];
    const answers: Answer[] = [];
    for (const send of sent) answers.push(await quickly(send));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 415, 200]);
    expect(Math.max(...answers.map(({ text }) => text.length))).toBeLessThan(1500);
  });
});
