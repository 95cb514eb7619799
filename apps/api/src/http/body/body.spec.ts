import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { countermeasureBody, makeCountermeasure } from '#test/support/factories.js';
import { changesNothing } from '#test/support/records.js';
import type { Countermeasure, List } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/tasks/';

describe('By default', () => {
  it('unknown body fields are ignored', async () => {
    const created = await makeCountermeasure(test.api, {
      unknown: 1,
      match_conditions: [{ required: ['A1'], unknown: 2 }],
    });
    expect(created).not.toHaveProperty('unknown');
  });

  it('texts that can not be stored are refused in unknown fields too', async () => {
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

  it('unknown query parameters and unknown include, expand and exclude values are ignored', async () => {
    const query = { unknown: 1, include: 'unknown,tags', expand: 'unknown', exclude: 'unknown', id__in: 'T1' };
    const [row] = await rowsOf(test.api.get<List<Countermeasure>>(path, query));
    expect(row).toMatchObject({ id: 'T1', tags: expect.any(Array), title: expect.any(String) });
  });

  it('says nothing of preferences, also with handling=lenient', async () => {
    const answer = await test.api.get(path, { page_size: 1, unknown: 1 }, { Prefer: 'handling=lenient' });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([200, undefined]);
  });
});

describe('With Prefer: handling=strict', () => {
  it('an unknown body field is a 400 that names it, and nothing changes', async () => {
    const { id } = await makeCountermeasure(test.api);
    for (const send of [
      () => test.api.strict.post(path, countermeasureBody({ bogus: 1 })),
      () => test.api.strict.patch(`${path}${id}/`, { priority: 1, bogus: 1 }),
    ])
      expect(await changesNothing(test, () => bodyOf(send(), 400))).toEqual({ bogus: [expect.any(String)] });
  });

  it.each(['constructor', '__proto__', 'toString', 'prototype'])(
    'an unknown field is a 400 under any name: %s',
    async (name) => {
      const raw = `{"priority":1,"${name}":{"a":1}}`;
      const answer = await test.api.strict.patch(`${path}T1/`, undefined, {
        raw,
        headers: { 'Content-Type': 'application/json' },
      });
      expect([answer.status, answer.text]).toEqual([400, `{"${name}":["This field is unknown."]}`]);
    },
  );

  it('an unknown field is named in its place, also inside of lists, along with all other errors', async () => {
    const body = countermeasureBody({
      priority: 99,
      match_conditions: [{ required: ['A1'] }, { required: ['A1'], bogus: 1 }],
    });
    expect(await bodyOf(test.api.strict.post(path, body), 400)).toEqual({
      priority: [expect.any(String)],
      match_conditions: [{}, { bogus: [expect.any(String)] }],
    });
  });

  it('an unknown query parameter is a 400 that names it, on lists, items and writes', async () => {
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

  it("a list's parameter is unknown to an item", async () => {
    expect(await bodyOf(test.api.strict.get(`${path}T1/`, { ordering: 'id' }), 400)).toEqual({
      ordering: [expect.any(String)],
    });
  });

  it.each(['include', 'expand', 'exclude'])(
    'an unknown value of %s is a 400 that names it, next to known ones too',
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

  it('valid requests pass, with read-only fields too, and every answer says what was applied', async () => {
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
  ])('is understood as "%s"', async (prefer) => {
    // Not by the typed client, which only knows one spelling.
    const answer = await fetch(`${test.origin}/api/v2${path}?bogus=1`, {
      headers: { Authorization: `Token ${test.organization.admin.token}`, Prefer: prefer },
    });
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([400, 'handling=strict']);
  });

  it('is not meant where it comes behind another handling', async () => {
    const answer = await fetch(`${test.origin}/api/v2${path}?bogus=1`, {
      headers: { Authorization: `Token ${test.organization.admin.token}`, Prefer: 'handling=lenient, handling=strict' },
    });
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null]);
  });
});
