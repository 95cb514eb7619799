import fc from 'fast-check';
import { type TestOrganization, useTestApi } from '#test/support/api.js';
import { bodyOf, type Json } from '#test/support/client.js';
import { makeCountermeasure, unique } from '#test/support/factories.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import { addMember, type TestProject } from '#test/support/projects.js';

const test = useTestApi();

interface FacetValue {
  value: Json;
  label: string;
  count: number;
}

interface Faceted {
  count?: number;
  facets?: Record<string, FacetValue[]>;
  results: { id: string }[];
}

type Query = Record<string, string | string[]>;

const facetsOf = async (path: string, query: Query = {}): Promise<Record<string, FacetValue[]>> =>
  (await bodyOf(test.api.get<Faceted>(path, { ...query, include: 'facets', page_size: '1' }))).facets ?? {};

const countOf = async (path: string, query: Query): Promise<number | undefined> =>
  (await bodyOf(test.api.get<Faceted>(path, { ...query, page_size: '1' }))).count;

/** The query with the value of a facet instead of all conditions of its filter. */
const withValue = (query: Query, name: string, value: Json): Query => ({
  ...Object.fromEntries(Object.entries(query).filter(([key]) => key !== name && !key.startsWith(`${name}__`))),
  [name]: String(value),
});

const NAMES = ['phase', 'priority', 'tag', 'status', 'assigned_to', 'problem'];
const LIBRARY_NAMES = ['phase', 'priority', 'tag', 'active', 'type'];

/** A query with some conditions of each filter, plain and as comparisons. */
const queries = (conditions: readonly (readonly [string, string])[]): fc.Arbitrary<Query> =>
  fc.subarray([...conditions], { maxLength: 4 }).map((entries) => Object.fromEntries(entries));

describe('Facets of a list', () => {
  let project: TestProject;
  let path: string;
  const tags = [unique('tag'), unique('tag, with a comma')];

  beforeAll(async () => {
    project = await makeEmptyProject(test);
    path = `/projects/${project.id}/tasks/`;
    const members = [await test.newUser(), await test.newUser()];
    for (const member of members) await addMember(test, project, member, 'PR4');
    const ids = Array.from({ length: 14 }, (_, index) => `T${index + 1}`);
    await addCountermeasures(test, project, ids);
    for (const [index, id] of ids.entries())
      await bodyOf(
        test.api.patch(`${path}${id}/`, {
          status: `TS${1 + (index % 3)}`,
          assigned_to: members.filter((_, place) => index & (1 << place)).map(({ email }) => email),
          tags: tags.filter((_, place) => index % (place + 2) === 0),
        }),
      );
    for (const [index, tag] of tags.entries())
      await makeCountermeasure(test.api, { tags: [tag], active: index === 0, priority: 1 + index });
    await bodyOf(test.api.patch('/library/tasks/T1/', { priority: 2 }));
  });

  it.each<[string, () => string, string[], [string, string][]]>([
    [
      'countermeasures of a project',
      () => path,
      NAMES,
      [
        ['phase__in', 'X1,X2,X3'],
        ['priority__gte', '7'],
        ['priority__lte', '9'],
        ['status', 'TS1'],
        ['status__in', 'TS1,TS2'],
        ['problem__in', 'P1,P2,P3'],
        ['assigned_to__isnull', 'false'],
        ['tag__isnull', 'false'],
        ['accepted', 'all'],
        ['search', 'password'],
      ],
    ],
    [
      'countermeasures of the library',
      () => '/library/tasks/',
      LIBRARY_NAMES,
      [
        ['phase', 'X3'],
        ['priority__lt', '8'],
        ['active', 'true'],
        ['type__in', 'Custom,Built-in Modified'],
        ['tag__isnull', 'true'],
        ['problem', 'P1'],
        ['search', 'password'],
        ['show_original', 'true'],
      ],
    ],
  ])(
    'of %s equal the lists that are filtered by them, and do not depend on their own filter',
    async (...args) => {
      const [, pathOf, names, conditions] = args;
      await fc.assert(
        fc.asyncProperty(queries(conditions), fc.nat(), async (query, place) => {
          const facets = await facetsOf(pathOf(), query);
          expect(Object.keys(facets).sort()).toEqual([...names].sort());
          for (const [name, values] of Object.entries(facets)) {
            const counts = values.map(({ count }) => count);
            expect(counts).toEqual([...counts].sort((a, b) => b - a));
            // One value of each facet is compared, and all facets in the course of the runs.
            const { value, count } = values[place % values.length] ?? {};
            if (value !== undefined)
              expect([name, value, await countOf(pathOf(), withValue(query, name, value))]).toEqual([
                name,
                value,
                count,
              ]);
          }
        }),
        { numRuns: 12 },
      );
    },
    120_000,
  );

  it('have labels, and leave out items without a value', async () => {
    const { status, assigned_to: assignees, tag, priority } = await facetsOf(path, { tag: tags });
    expect(status).toContainEqual({ value: 'TS1', label: 'Complete', count: expect.any(Number) });
    expect(assignees?.map(({ label }) => label)).toEqual(['Grace User', 'Grace User']);
    expect(tag?.filter(({ value }) => tags.includes(String(value)))).toHaveLength(2);
    expect(priority?.every(({ value, label }) => label === String(value))).toBe(true);
    const { active } = await facetsOf('/library/tasks/');
    expect(active?.map(({ value, label }) => [value, label])).toEqual([
      [true, 'Active'],
      [false, 'Inactive'],
    ]);
  });

  it('count only what the caller sees', async () => {
    const stranger = await test.newOrganization();
    await bodyOf(stranger.api.get(path, { include: 'facets' }), 404);
    const { facets } = await bodyOf(stranger.api.get<Faceted>('/library/tasks/', { include: 'facets' }));
    expect(facets?.['type']?.map(({ value }) => value)).toEqual(['Built-in']);
    expect(JSON.stringify(facets)).not.toContain(tags[0]);
  });

  it('have at most 100 values: the most frequent ones', async () => {
    const organization = await test.newOrganization();
    const names = Array.from({ length: 130 }, (_, index) => `t${index}`);
    for (const [from, to] of [
      [0, 65],
      [65, 130],
      [125, 130],
    ])
      await makeCountermeasure(organization.api, { tags: names.slice(from, to) });
    const { facets } = await bodyOf(
      organization.api.get<Faceted>('/library/tasks/', { include: 'facets', type: 'Custom' }),
    );
    expect(facets?.['tag']).toHaveLength(100);
    expect(facets?.['tag']?.slice(0, 5).map(({ value }) => value)).toEqual(names.slice(125));
  });

  describe('with facet_search', () => {
    let organization: TestOrganization;
    const names = Array.from({ length: 130 }, (_, index) => `common ${index}`);
    const special = ['100%_sure', '100xxsure', 'a:b', 'back\\slash', 'ÄRGER', 'two  words'];

    beforeAll(async () => {
      organization = await test.newOrganization();
      for (const tags of [names.slice(0, 65), names.slice(65), [...special, 'common 129'], ['a:b']])
        await makeCountermeasure(organization.api, { tags });
    });

    const found = async (text: string, query: Query = {}): Promise<[Json, number][]> => {
      const { facets } = await bodyOf(
        organization.api.get<Faceted>('/library/tasks/', { ...query, include: 'facets', facet_search: text }),
      );
      return (facets?.['tag'] ?? []).map(({ value, count }) => [value, count]);
    };

    it('have the values that contain all words, also beyond the 100 most frequent ones', async () => {
      expect(await found('tag:common 117')).toEqual([['common 117', 1]]);
      expect(await found('tag:129 COMMON')).toEqual([['common 129', 2]]);
      expect(await found('tag:common')).toHaveLength(100);
      expect(await found('tag:ärg')).toEqual([['ÄRGER', 1]]);
      expect(await found('tag:a:b')).toEqual([['a:b', 2]]);
      expect(await found('tag:a:b', { tag: 'common 3' })).toEqual([['a:b', 2]]);
      expect(await found('tag:a:b', { priority__gt: '10' })).toEqual([]);
      expect(await found('tag:nothing like this')).toEqual([]);
      expect(await found('tag:')).toHaveLength(100);
      expect(await found('')).toHaveLength(100);
    });

    it('take wildcards as they are', async () => {
      expect(await found('tag:%')).toEqual([['100%_sure', 1]]);
      expect(await found('tag:100%_')).toEqual([['100%_sure', 1]]);
      expect(await found('tag:k\\s')).toEqual([['back\\slash', 1]]);
    });

    it('search labels and values, and leave other facets as they are', async () => {
      const all = await facetsOf(path);
      const [person] = all['assigned_to'] ?? [];
      const byName = await facetsOf(path, { facet_search: 'assigned_to:user GRACE' });
      expect(byName).toEqual(all);
      const byAddress = await facetsOf(path, { facet_search: `assigned_to:${String(person?.value).toUpperCase()}` });
      expect(byAddress).toEqual({ ...all, assigned_to: [person] });
      expect((await facetsOf(path, { facet_search: 'status:incomp' }))['status']?.map(({ value }) => value)).toEqual([
        'TS2',
      ]);
      const weakness = all['problem']?.[0];
      expect((await facetsOf(path, { facet_search: `problem:${weakness?.label}` }))['problem']).toEqual([weakness]);
    });

    it('never have values of other organizations', async () => {
      const { facets } = await bodyOf(
        test.api.get<Faceted>('/library/tasks/', { include: 'facets', facet_search: 'tag:common' }),
      );
      expect(facets?.['tag']).toEqual([]);
      await bodyOf(organization.api.get(path, { include: 'facets', facet_search: 'tag:tag' }), 404);
    });

    it.each<[string, Query]>([
      ['no facet', { include: 'facets', facet_search: 'words' }],
      ['an unknown facet', { include: 'facets', facet_search: 'title:words' }],
      ['a name that all objects have', { include: 'facets', facet_search: 'constructor:words' }],
      ['too long a text', { include: 'facets', facet_search: `tag:${'a'.repeat(256)}` }],
      [
        'too many words',
        { include: 'facets', facet_search: `tag:${Array.from({ length: 33 }, (_, i) => i).join(' ')}` },
      ],
      ['two values', { include: 'facets', facet_search: ['tag:a', 'tag:b'] }],
      ['a character that can not be stored', { include: 'facets', facet_search: 'tag:\0' }],
      ['no include=facets', { facet_search: 'tag:words' }],
    ])('are rejected with %s', async (_, query) => {
      expect(await bodyOf(test.api.get(path, query), 400)).toEqual({ facet_search: [expect.any(String)] });
    });

    it('are ignored by lists without facets', async () => {
      const ignoring = await test.api.get('/library/threats/', { facet_search: 'tag:a' });
      expect([ignoring.status, ignoring.headers['ignored-parameters']]).toEqual([200, 'facet_search']);
      await bodyOf(test.api.strict.get('/library/threats/', { facet_search: 'tag:a' }), 400);
    });
  });

  it('are only in lists that declare them, with include=facets, on pages and without pages', async () => {
    for (const query of [{}, { include: 'tags' }])
      expect(await bodyOf(test.api.get(path, query))).not.toHaveProperty('facets');
    const { facets, results } = await bodyOf(test.api.get<Faceted>(path, { include: 'tags,facets' }));
    expect(Object.keys(facets ?? {})).toHaveLength(NAMES.length);
    expect(results[0]).toHaveProperty('tags');
    for (const [elsewhere, status] of [
      ['/library/threats/', 400],
      [`${path}T1/`, 400],
    ] as const) {
      const ignoring = await test.api.get(elsewhere, { include: 'facets' });
      expect([ignoring.status, ignoring.headers['ignored-parameters']]).toEqual([200, 'facets']);
      await bodyOf(test.api.strict.get(elsewhere, { include: 'facets' }), status);
    }
  });
});
