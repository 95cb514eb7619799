import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { countermeasureBody, makeCountermeasure } from '#test/support/factories.js';
import { changesNothing } from '#test/support/records.js';
import type { Countermeasure, List } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/tasks/';

describe('Handling of unknown input by default', () => {
  it('ignores unknown body fields', async () => {
    const created = await makeCountermeasure(test.api, {
      unknown: 1,
      match_conditions: [{ required: ['A1'], unknown: 2 }],
    });
    expect(created).not.toHaveProperty('unknown');
  });

  it('rejects unknown fields with texts that cannot be stored', async () => {
    for (const body of [{ bogus: 'a\0' }, { bogus: { a: ['\ud800'] } }, { bogus: { '\0': 1 } }])
      expect(await changesNothing(test, () => bodyOf(test.api.patch(`${path}T1/`, body), 400))).toEqual({
        bogus: [expect.any(String)],
      });
    expect(await bodyOf(test.api.patch(`${path}T1/`, { '\ud800': 1 }), 400)).toEqual({
      '\ud800': [expect.any(String)],
    });
    // Also for routes without fields.
    const { id } = await makeCountermeasure(test.api);
    expect(await bodyOf(test.api.delete(`${path}${id}/`, { bogus: '\0' }), 400)).toEqual({
      bogus: [expect.any(String)],
    });
  });

  it('ignores unknown query parameters and unknown include, expand and exclude values', async () => {
    const query = { unknown: 1, include: 'unknown,tags', expand: 'unknown', exclude: 'unknown', id__in: 'T1' };
    const [row] = await rowsOf(test.api.get<List<Countermeasure>>(path, query));
    expect(row).toMatchObject({ id: 'T1', tags: expect.any(Array), title: expect.any(String) });
  });

  it('sends no Preference-Applied header, also with handling=lenient', async () => {
    const answer = await test.api.get(path, { page_size: 1, unknown: 1 }, { Prefer: 'handling=lenient' });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([200, undefined]);
  });
});

describe('Prefer: handling=strict', () => {
  it('rejects an unknown body field with an error for that field and changes nothing', async () => {
    const { id } = await makeCountermeasure(test.api);
    for (const send of [
      () => test.api.strict.post(path, countermeasureBody({ bogus: 1 })),
      () => test.api.strict.patch(`${path}${id}/`, { priority: 1, bogus: 1 }),
    ])
      expect(await changesNothing(test, () => bodyOf(send(), 400))).toEqual({ bogus: [expect.any(String)] });
  });

  it.each(['constructor', '__proto__', 'toString', 'prototype'])(
    'rejects an unknown field with any name: %s',
    async (name) => {
      const raw = `{"priority":1,"${name}":{"a":1}}`;
      const answer = await test.api.strict.patch(`${path}T1/`, undefined, {
        raw,
        headers: { 'Content-Type': 'application/json' },
      });
      expect([answer.status, answer.text]).toEqual([400, `{"${name}":["This field is unknown."]}`]);
    },
  );

  it('reports an unknown field in its place, also inside lists, together with all other errors', async () => {
    const body = countermeasureBody({
      priority: 99,
      match_conditions: [{ required: ['A1'] }, { required: ['A1'], bogus: 1 }],
    });
    expect(await bodyOf(test.api.strict.post(path, body), 400)).toEqual({
      priority: [expect.any(String)],
      match_conditions: [{}, { bogus: [expect.any(String)] }],
    });
  });

  it('rejects an unknown query parameter of lists, items and writes with an error for that parameter', async () => {
    const { id } = await makeCountermeasure(test.api);
    const requests = [
      test.api.strict.get(path, { bogus: 1 }),
      test.api.strict.get(`${path}T1/`, { bogus: 1 }),
      test.api.strict.post(`${path}?bogus=1`, countermeasureBody()),
      test.api.strict.patch(`${path}T1/?bogus=1`, {}),
      test.api.strict.delete(`${path}${id}/?bogus=1`),
      test.api.strict.get('/users/me/permissions/', { bogus: 1 }),
    ];
    for (const answer of requests) expect(await bodyOf(answer, 400)).toEqual({ bogus: [expect.any(String)] });
  });

  it('rejects a parameter of lists for an item', async () => {
    expect(await bodyOf(test.api.strict.get(`${path}T1/`, { ordering: 'id' }), 400)).toEqual({
      ordering: [expect.any(String)],
    });
  });

  it.each(['include', 'expand', 'exclude'])(
    'rejects unknown values of %s, also next to known ones, and reports at most ten of them',
    async (parameter) => {
      const known = { include: 'tags', expand: 'phase', exclude: 'text' }[parameter];
      for (const value of ['bogus', `${known},bogus`])
        expect(await bodyOf(test.api.strict.get(path, { [parameter]: value }), 400)).toEqual({
          [parameter]: [expect.stringContaining('bogus')],
        });
      expect(await bodyOf(test.api.strict.get(path, { [parameter]: `bogus,${known},fake` }), 400)).toEqual({
        [parameter]: [expect.stringContaining('"bogus"'), expect.stringContaining('"fake"')],
      });
      const many = Array.from({ length: 2000 }, (_, n) => `${n % 1000}`).join(',');
      const errors = await bodyOf(test.api.strict.get<Record<string, string[]>>(path, { [parameter]: many }), 400);
      expect(errors[parameter]).toHaveLength(10);
      expect(errors['non_field_errors']).toEqual(['… and 990 more.']);
    },
  );

  it('accepts valid requests, also with read-only fields, and confirms the preference in each response', async () => {
    const created = await makeCountermeasure(test.api.strict, { match_conditions: [{ required: ['A1'] }] });
    const read = await bodyOf(
      test.api.strict.get<Countermeasure>(`${path}${created.id}/`, { include: 'tags,match_conditions', expand: '' }),
    );
    await bodyOf(test.api.strict.patch(`${path}${created.id}/`, read));
    for (const answer of [
      await test.api.strict.get(path, { page_size: 1, ordering: '-id', search: 'x' }),
      await test.api.strict.get(`${path}CT99999/`),
      await test.api.strict.as(null).get(path),
      await test.api.strict.send('PUT', path, {}),
      await test.api.strict.get('/none/'),
    ])
      expect(answer.headers['preference-applied']).toBe('handling=strict');
  });

  it.each([
    'handling=strict',
    'Handling = "strict"',
    'respond-async, handling=strict',
    'handling=strict; x=y',
    'return=minimal,handling=strict',
    'handling=strict, handling=lenient',
  ])('recognizes "%s"', async (prefer) => {
    // Not by the typed client, which only knows one spelling.
    const answer = await fetch(`${test.origin}/api/v2${path}?bogus=1`, {
      headers: { Authorization: `Token ${test.organization.admin.token}`, Prefer: prefer },
    });
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([400, 'handling=strict']);
  });

  it('ignores handling=strict after another handling', async () => {
    const answer = await fetch(`${test.origin}/api/v2${path}?bogus=1`, {
      headers: { Authorization: `Token ${test.organization.admin.token}`, Prefer: 'handling=lenient, handling=strict' },
    });
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null]);
  });
});
