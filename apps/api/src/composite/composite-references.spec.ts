import { countermeasureBody, makeWeakness, unique } from '#test/support/factories.js';
import type { Weakness } from '#test/support/resources.js';
import { post, get, weakness, statusesOf, useComposites } from '#test/support/composites.js';

const { test, run } = useComposites();

describe('References in a composite request', () => {
  it('inserts values from earlier responses into a path and into any string of a body', async () => {
    const answers = await run([
      weakness('w'),
      post(
        'library/tasks/',
        'task',
        countermeasureBody({
          problem: '@{w.id}',
          text: 'Of @{w.title} (@{w.id}), rated @{w.risk_rating}.',
          tags: ['x', 'of @{w.id}'],
        }),
      ),
      get('library/tasks/?id__in=@{task.id}', 'list'),
      get('library/tasks/@{list.results[0].id}/?include=tags', 'read'),
    ]);
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
    const [made, , , read] = answers.map(
      ({ body }) => body as unknown as Weakness & { problem: string; tags: string[] },
    );
    expect(read).toMatchObject({
      problem: made?.id,
      tags: ['x', `of ${made?.id}`],
      text: `Of ${made?.title} (${made?.id}), rated 5.`,
    });
  });

  it('supports any reference name, also in a path whose other characters need encoding', async () => {
    const answers = await run([
      weakness('schwäche 1'),
      get('library/problems/@{schwäche 1.id}/', 'a'),
      get('library/problems/?search=ü @{schwäche 1.id}', 'b'),
      get('library/problems/?search=@{niemand äh.id}', 'c'),
    ]);
    const [made, read, none, unresolved] = answers.map(({ body }) => body);
    expect(read).toEqual(expect.objectContaining({ id: (made as { id: string }).id }));
    expect([none, unresolved]).toEqual([{ results: [] }, { results: [] }]);
  });

  it('keeps the type of a value if the reference is the whole string', async () => {
    const answers = await run(
      [
        weakness('w', { risk_rating: 7 }),
        get('phases/?page_size=2', 'phases'),
        weakness('same', { risk_rating: '@{w.risk_rating}' }),
        post('groups/', 'list', { name: '@{phases.results}' }),
        post('groups/', 'object', { name: '@{phases.results[1]}' }),
        post('groups/', 'null', { name: '@{phases.previous}' }),
        post('groups/', 'body', '@{w}'),
      ],
      { all_or_none: false },
    );
    expect(answers[2]).toMatchObject({ http_status_code: 200, body: { risk_rating: 7 } });
    expect(answers.slice(3).map(({ body }) => body)).toEqual([
      { name: ['Not a valid string.'] },
      { name: ['Not a valid string.'] },
      { name: ['This field may not be null.'] },
      { name: ['This field is required.'] },
    ]);
  });

  it('leaves unresolved references unchanged, or returns 400 if strict_ref_checking is true', async () => {
    const wrong = [
      '@{none}',
      '@{none.id}',
      '@{w.nothing}',
      '@{w.id.x}',
      '@{w[0]}',
      '@{w.cwe[99]}',
      '@{w.__proto__}',
      '@{w.constructor.name}',
      '@{w.title.length}',
      '@{w.cwe.length}',
      '@{}',
      '@{w.}',
      '@{.id}',
      '@{w..id}',
      '@{later.id}',
      '@{failed.detail}',
      '@{w.cwe[-1]}',
    ];
    const requests = [
      weakness('w'),
      get('library/problems/NO/', 'failed'),
      ...wrong.map((reference, index) => weakness(`r${index}`, { text: `${reference} and ${reference}` })),
      get('library/problems/@{none.id}/', 'path'),
      weakness('later'),
    ];
    const lenient = await run(requests, { all_or_none: false });
    for (const [caseIndex, reference] of wrong.entries())
      expect(lenient[caseIndex + 2]).toMatchObject({
        http_status_code: 200,
        body: { text: `${reference} and ${reference}` },
      });
    expect(lenient.at(-2)).toMatchObject({ http_status_code: 404, body: { detail: 'Not found.' } });
    const fresh = requests.map((request) =>
      request.body ? { ...request, body: { ...request.body, title: unique() } } : request,
    );
    const strict = await run(fresh, { all_or_none: false, strict_ref_checking: true });
    for (const [caseIndex, reference] of wrong.entries())
      expect(strict[caseIndex + 2]).toEqual({
        reference_id: `r${caseIndex}`,
        http_status_code: 400,
        body: { detail: expect.stringContaining(reference) },
      });
    expect(strict.at(-2)).toMatchObject({
      http_status_code: 400,
      body: { detail: expect.stringContaining('@{none.id}') },
    });
    expect(strict.at(-1)).toMatchObject({ http_status_code: 200 });
  });

  it('percent-encodes values in a path, so that they cannot add a segment, a query or another path', async () => {
    const evil = [
      'P1/../../users',
      '../P1',
      'P1?exclude=text',
      'P1#x',
      'P1/',
      '%2e%2e/P1',
      'P1&include=cwe',
      'P1\u0000'.replace('\u0000', ' '),
      'ü/ß',
    ];
    for (const title of evil) {
      const name = `${title} ${unique()}`;
      const answers = await run(
        [
          weakness('w', { title: name }),
          get('library/problems/@{w.title}/', 'path'),
          get('library/problems/?search=@{w.title}&page_size=1', 'query'),
        ],
        { all_or_none: false },
      );
      expect(answers[1]).toMatchObject({ http_status_code: 404, body: { detail: 'Not found.' } });
      expect(answers[2]).toMatchObject({ http_status_code: 200, body: { count: 1, results: [{ title: name }] } });
    }
  });

  it('inserts values into a body as they are, without adding JSON or further references', async () => {
    const text = '", "risk_rating": 9, "x": "@{w.id} @{secret.id} \\" \\u0041';
    const { id } = await makeWeakness(test.api, { text });
    const answers = await run([
      weakness('secret'),
      get(`library/problems/${id}/`, 'w'),
      weakness('copied', { text: '@{w.text}' }),
      weakness('quoted', { text: 'a @{w.text} b' }),
    ]);
    expect(answers[2]?.body).toMatchObject({ text, risk_rating: 5 });
    expect(answers[3]?.body).toMatchObject({ text: `a ${text} b`, risk_rating: 5 });
  });

  it('returns 413 for a request whose body exceeds the size limit with the inserted values', async () => {
    const long = 'x'.repeat(90_000);
    const [, twice] = await run(
      [weakness('w', { text: long }), post('groups/', 'big', { name: Array.from({ length: 60 }, () => '@{w.text}') })],
      { all_or_none: false },
    );
    expect(twice).toMatchObject({ http_status_code: 413, body: { detail: expect.stringContaining('5242880') } });
  });
});
