import { useTestApi } from '#test/support/api.js';
import { bodyOf, type ErrorBody, rejectedFields, rowsOf } from '#test/support/client.js';
import {
  answerIds,
  countermeasureBody,
  setIdCounter,
  makeCountermeasure,
  makeWeakness,
  unique,
} from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Countermeasure, List } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/tasks/';
const at = (id: string): string => `${path}${id}/`;
const numberIn = (id: string): number => Number(/\d+$/.exec(id)?.[0]);

describe('Creating a countermeasure', () => {
  it('returns 200 with the new countermeasure and its match conditions', async () => {
    const [required, excluded] = (await answerIds(test.api, 2)) as [string, string];
    const body = countermeasureBody({
      match_conditions: [{ required: [required], excluded: [excluded] }],
      tags: ['a tag'],
    });
    const created = await bodyOf(test.api.post<Countermeasure>(path, body));
    const author = {
      id: test.organization.admin.id,
      email: test.organization.admin.email,
      first_name: 'Ada',
      last_name: 'Admin',
    };
    expect(created).toEqual({
      id: expect.stringMatching(/^CT[1-9]\d*$/),
      db_id: expect.any(Number),
      url: at(created.id),
      title: body['title'],
      text: body['text'],
      problem: 'P1',
      priority: 5,
      phase: 'X3',
      active: true,
      type: 'Custom',
      created_by: author,
      created_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
      last_updated_by: author,
      last_updated_date: expect.any(String),
      match_conditions: [
        {
          id: expect.stringMatching(/^CMC[1-9]\d*$/),
          db_id: expect.any(Number),
          required: [required],
          excluded: [excluded],
        },
      ],
    });
    const read = await bodyOf(test.api.get<Countermeasure>(at(created.id), { include: 'match_conditions,tags' }));
    expect(read).toEqual({ ...created, tags: ['a tag'] });
  });

  it('keeps tags with special characters unchanged', async () => {
    const tags = ['null', 'NULL', 'a\\b', '"quoted"', '{braced}', 'a,b', "'", 'ünïcode 🦊'];
    const { id } = await makeCountermeasure(test.api, { tags });
    const read = await bodyOf(test.api.get<Countermeasure & { tags: string[] }>(at(id), { include: 'tags' }));
    expect(read.tags.toSorted()).toEqual(tags.toSorted());
    expect(await rowsOf(test.api.get<List<Countermeasure>>(path, { tag: 'null', id__in: id }))).toHaveLength(1);
  });

  it('adds it to the list', async () => {
    const created = await makeCountermeasure(test.api);
    const rows = await rowsOf(test.api.get<List<Countermeasure>>(path));
    const { match_conditions: _, ...plain } = created;
    expect(rows.find((row) => row.id === created.id)).toEqual(plain);
  });

  it('counts ids up and db_ids down in steps of one', async () => {
    const first = await makeCountermeasure(test.api);
    const second = await makeCountermeasure(test.api);
    expect(numberIn(second.id)).toBe(numberIn(first.id) + 1);
    expect(first.db_id).toBe(-numberIn(first.id));
    expect(second.db_id).toBe(first.db_id - 1);
  });

  it('never reuses an id, even after a deletion', async () => {
    const deleted = await makeCountermeasure(test.api);
    await bodyOf(test.api.delete(at(deleted.id)), 204);
    const next = await makeCountermeasure(test.api);
    expect(numberIn(next.id)).toBe(numberIn(deleted.id) + 1);
  });

  it('numbers items per organization and kind', async () => {
    await makeCountermeasure(test.api);
    const other = await test.newOrganization();
    const weakness = await makeWeakness(other.api);
    const countermeasure = await makeCountermeasure(other.api, { problem: weakness.id });
    expect([weakness.id, weakness.db_id, countermeasure.id, countermeasure.db_id]).toEqual(['CP1', -1, 'CT1', -1]);
  });

  it('trims the title and keeps the text unchanged', async () => {
    const title = unique('Trimmed');
    const text = '  # A heading\n\n<script>alert(1)</script> | a | *b*\n';
    const created = await makeCountermeasure(test.api, { title: ` \t${title}\n`, text });
    expect([created.title, created.text]).toEqual([title, text]);
  });

  it('accepts titles of 500 and texts of 100,000 characters, counted as code points', async () => {
    const created = await makeCountermeasure(test.api, { title: '😀'.repeat(500), text: '😀'.repeat(100_000) });
    expect([[...created.title].length, [...created.text].length]).toEqual([500, 100_000]);
  });

  it('accepts "5" as an integer and "False" as a boolean', async () => {
    const created = await makeCountermeasure(test.api, { priority: '5', active: 'False' });
    expect([created.priority, created.active]).toEqual([5, false]);
  });

  it('reports all missing fields together', async () => {
    const required = ['This field is required.'];
    expect(await bodyOf(test.api.post(path, {}), 400)).toEqual({
      title: required,
      text: required,
      problem: required,
      priority: required,
      phase: required,
    });
  });

  it.each([
    ['title', ''],
    ['title', '   '],
    ['title', null],
    ['title', 5],
    ['title', true],
    ['title', ['x']],
    ['title', { a: 1 }],
    ['title', 'x'.repeat(501)],
    ['title', 'a\0b'],
    ['title', 'a\ud800b'],
    ['text', null],
    ['text', 5],
    ['text', 'x'.repeat(100_001)],
    ['text', 'a\0b'],
    ['text', '\udc00'],
    ['priority', 0],
    ['priority', 11],
    ['priority', -1],
    ['priority', 5.5],
    ['priority', '5.5'],
    ['priority', 'high'],
    ['priority', ''],
    ['priority', null],
    ['priority', true],
    ['priority', [5]],
    ['priority', 1e300],
    ['active', 'maybe'],
    ['active', 1],
    ['active', null],
    ['problem', null],
    ['problem', 4],
    ['problem', {}],
    ['problem', 'T1'],
    ['problem', "'; DROP TABLE weakness"],
    ['problem', 'P1\0'],
    ['phase', null],
    ['phase', 'P1'],
    ['phase', ['X1']],
    ['tags', null],
    ['tags', 'one'],
    ['tags', [1]],
    ['tags', [['x']]],
    ['tags', ['x'.repeat(101)]],
    ['tags', ['a\0b']],
    ['match_conditions', null],
    ['match_conditions', 'x'],
    ['match_conditions', { required: [] }],
    ['match_conditions', ['x']],
    ['match_conditions', [null]],
    ['match_conditions', [[]]],
    ['match_conditions', [{ required: 'A1' }]],
    ['match_conditions', [{ required: [1] }]],
  ])('rejects %s = %j with an error for that field and changes nothing', async (field, value) => {
    const body = countermeasureBody({ [field]: value });
    const errors = await changesNothing(test, () => bodyOf(test.api.post(path, body), 400));
    expect(Object.keys(errors as object)).toEqual([field]);
  });

  it.each(['title', 'text'])('rejects a blank %s in a PATCH too', async (field) => {
    const { id } = await makeCountermeasure(test.api);
    expect(await rejectedFields(test.api.patch(at(id), { [field]: ' ' }))).toEqual([field]);
  });

  it('reports a weakness and a phase that do not exist', async () => {
    const body = countermeasureBody({ problem: 'P999999', phase: 'CX1' });
    expect(await bodyOf(test.api.post(path, body), 400)).toEqual({
      problem: ['"P999999" does not exist.'],
      phase: ['"CX1" does not exist.'],
    });
  });

  it('reports references that do not exist along with invalid fields', async () => {
    const body = countermeasureBody({ title: '', priority: 99, problem: 'P999999' });
    const errors = await bodyOf(test.api.post<ErrorBody>(path, body), 400);
    expect(errors).toMatchObject({ problem: ['"P999999" does not exist.'] });
    expect(Object.keys(errors).sort()).toEqual(['priority', 'problem', 'title']);
  });

  it("rejects another organization's weakness", async () => {
    const other = await test.newOrganization();
    await setIdCounter(test, other, 'weakness', 5000);
    const foreign = await makeWeakness(other.api);
    const errors = await bodyOf(test.api.post(path, countermeasureBody({ problem: foreign.id })), 400);
    expect(errors).toEqual({ problem: [`"${foreign.id}" does not exist.`] });
  });

  it('ignores read-only fields in a body', async () => {
    const sent = {
      id: 'CT99999',
      db_id: 7,
      type: 'Built-in',
      url: '/x/',
      created_date: '2001-01-01T00:00:00Z',
      created_by: 1,
    };
    const created = await makeCountermeasure(test.api, {
      ...sent,
      categories: ['Mine'],
      verification_coverage: ['mine'],
    });
    expect(created).toMatchObject({ type: 'Custom', url: at(created.id) });
    expect([created.id, created.db_id, created.created_date]).not.toEqual([sent.id, sent.db_id, sent.created_date]);
    const read = await bodyOf(
      test.api.get<Countermeasure>(at(created.id), { include: 'categories,verification_coverage' }),
    );
    expect([read.categories, read.verification_coverage]).toEqual([[], []]);
  });

  it('accepts the query parameters include, exclude and expand for the response', async () => {
    const created = await bodyOf(
      test.api.post<Countermeasure>(path, countermeasureBody({ tags: ['x'] }), {
        query: { include: 'tags', exclude: 'text', expand: 'phase' },
      }),
    );
    expect(created).toMatchObject({ tags: ['x'], phase: { id: 'X3' } });
    expect(created).not.toHaveProperty('text');
  });

  it('records one activity with its id and title', async () => {
    const body = countermeasureBody({ title: unique('Told *about* [it]') });
    let created: Countermeasure | undefined;
    const activities = await activitiesOf(test, async () => {
      created = await bodyOf(test.api.post<Countermeasure>(path, body));
    });
    expect(activities).toEqual([
      {
        name: 'CreatedStandardActivity',
        organization_id: String(test.organization.id),
        actor_id: String(test.organization.admin.id),
        data: { standard: created?.id, standard_desc: body['title'] },
        icon: 'check',
        log_level: 'user',
        text: expect.stringContaining('*Ada Admin*'),
      },
    ]);
    expect(activities[0]?.text).toContain('Told \\*about\\* \\[it\\]');
  });
});

describe('The tags of a countermeasure', () => {
  const tagsOf = async (id: string): Promise<string[] | undefined> =>
    (await bodyOf(test.api.get<Countermeasure>(at(id), { include: 'tags' }))).tags;

  it('are trimmed, without blanks and duplicates, and in the given order', async () => {
    const { id } = await makeCountermeasure(test.api, { tags: ['  b ', 'a', 'b', '', '   ', 'A'] });
    expect(await tagsOf(id)).toEqual(['b', 'a', 'A']);
  });

  it('have up to 100 characters, counted after trimming', async () => {
    const tag = '😀'.repeat(100);
    const { id } = await makeCountermeasure(test.api, { tags: [`  ${tag}  `] });
    expect(await tagsOf(id)).toEqual([tag]);
  });

  it('are replaced as a whole by a PATCH, and not changed by a PATCH without them', async () => {
    const { id } = await makeCountermeasure(test.api, { tags: ['one', 'two'] });
    await bodyOf(test.api.patch(at(id), { priority: 3 }));
    expect(await tagsOf(id)).toEqual(['one', 'two']);
    await bodyOf(test.api.patch(at(id), { tags: ['three'] }));
    expect(await tagsOf(id)).toEqual(['three']);
    await bodyOf(test.api.patch(at(id), { tags: [] }));
    expect(await tagsOf(id)).toEqual([]);
  });
});
