import type { TestApi, TestOrganization } from '../support/api.js';
import { type ApiClient, bodyOf, type ErrorBody, type Json, rowsOf } from '../support/client.js';
import { operationsOf, type Parameter } from '../support/document.js';
import { changesNothing } from '../support/records.js';
import type { List, Page } from '../support/resources.js';
import type { FilterCase, Row } from './filters.js';
import { differences } from './shapes.js';
import type { FieldTypes, Resource, SortKey } from './table.js';

const NOT_FOUND = { detail: 'Not found.' };

/** Null stands last; false before true. */
function compareKeys(a: readonly SortKey[], b: readonly SortKey[]): number {
  for (const [place, left] of a.entries()) {
    const right = b[place] ?? null;
    if (left === right) continue;
    if (left === null) return 1;
    if (right === null) return -1;
    return left < right ? -1 : 1;
  }
  return 0;
}

type Query = Record<string, string | number | readonly string[]>;

/** Every promise that each resource keeps, held against what the table says of this one. */
export function describeContract(test: TestApi, resource: Resource): void {
  const { path, key, fields, includes = {}, expands = {}, filters, orderings, search, methods } = resource;
  const everyInclude = Object.keys(includes).join(',');
  const beside = Object.fromEntries((resource.beside ?? []).map((name) => [name, expect.anything() as unknown]));
  const at = (row: Row): string => `${path}${encodeURIComponent(String(row[key.field]))}/`;
  const keysOf = (list: readonly Row[]): Json[] => list.map((row) => row[key.field] ?? null);

  describe(`The contract of ${resource.name}`, () => {
    /** Rows in the default order, with all includes and what filters look at. */
    let rows: readonly Row[];
    let reader: ApiClient;
    let anybody: ApiClient;
    let stranger: TestOrganization;
    let strangerBefore: string;

    /** A whole list, or of one that is always paged the largest page. */
    const whole = (query: Query): Query =>
      resource.paged ? { page_size: resource.paged.maximumSize, ...query } : query;
    const list = (query: Query = {}, api = test.api): Promise<Row[]> => rowsOf(api.get<List<Row>>(path, whole(query)));
    /** Only the keys: what else a row has is of no interest to filters and orderings. */
    const listKeys = async (query: Query = {}, api = test.api): Promise<Json[]> => {
      const others = Object.keys(fields).filter((field) => field !== key.field && field !== 'id');
      return keysOf(await list({ ...query, exclude: others.join(',') }, api));
    };
    /** What of some rows is not as the table says, in words; nothing where all is. */
    const misfits = (found: readonly Row[], types: FieldTypes): string[] =>
      found.flatMap((row) => differences(row, types).map((difference) => `${String(row[key.field])}: ${difference}`));
    /** All parameters of some filters. */
    const parametersOf = (names: readonly string[]): string[] =>
      names.flatMap((name) => (filters[name]?.suffixes ?? []).map((suffix) => name + suffix));
    const queryParametersOf = (method: string, where: string): Parameter[] => {
      const pattern = (documented: string): RegExp => new RegExp(`^${documented.replace(/\{[^}]+\}/g, '[^/]+')}/?$`);
      const found = operationsOf(test.document).find(
        (one) => one.method === method && pattern(one.path).test(`/api/v2${where}`),
      );
      return (found?.operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
    };
    const everythingSeenBy = async ({ api }: TestOrganization): Promise<string> => {
      const exclude = (resource.volatile ?? []).join(',');
      const included = await api.get(path, whole({ exclude, ...(everyInclude && { include: everyInclude }) }));
      const expanded = await api.get(path, whole({ exclude, expand: Object.keys(expands).join(',') }));
      return JSON.stringify([included.body, expanded.body]);
    };

    beforeAll(async () => {
      stranger = await test.newOrganization();
      strangerBefore = await everythingSeenBy(stranger);
      await resource.seed?.(test, test.organization);
      anybody = (await test.newUser()).api;
      reader = resource.owner === 'caller' ? test.api : anybody;
      if (resource.readers)
        reader = (await test.newUser({ role: 'UR4', superUser: resource.readers === 'super-users' })).api;
      const derived = (await resource.derive?.(test)) ?? ((row: Row) => row);
      rows = (await list({ include: everyInclude })).map(derived);
      expect(rows.length).toBeGreaterThan(2);
    }, 60_000);

    describe('A whole list', () => {
      if (resource.paged)
        it(`is a page of ${resource.paged.defaultSize} where nothing else is asked for`, async () => {
          const page = await bodyOf(test.api.get<Page<Row>>(path));
          expect(Object.keys(page)).toEqual([...(resource.beside ?? []), 'count', 'next', 'previous', 'results']);
          expect(keysOf(page.results)).toEqual(keysOf(rows.slice(0, resource.paged?.defaultSize)));
        });
      else
        it('has results and nothing else, above all no next', async () => {
          expect(Object.keys(await bodyOf(test.api.get<object>(path)))).toEqual([
            ...(resource.beside ?? []),
            'results',
          ]);
        });

      it('has rows with exactly the fields of the specification', async () => {
        expect(misfits(await list(), fields)).toEqual([]);
      });

      it('shows each item once', async () => {
        const keys = await listKeys();
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys.filter((value) => !key.shape.test(String(value)))).toEqual([]);
      });
    });

    if (methods.item?.includes('GET'))
      describe('A single item', () => {
        it('is the same as its row, with and without includes and expands', async () => {
          const shapes: Query[] = [
            {},
            { include: everyInclude },
            { expand: Object.keys(expands).join(',') },
            { include: everyInclude, expand: Object.keys(expands).join(',') },
          ];
          for (const query of shapes) {
            const all = await list(query);
            for (const row of [all[0], all[Math.floor(all.length / 2)], all.at(-1)])
              expect(await bodyOf(test.api.get(at(row as Row), query))).toEqual(row);
          }
        });

        it('that does not exist is the same 404 as one with an id of another shape', async () => {
          for (const id of [
            key.absent,
            'nonsense',
            '0',
            '-1',
            'null',
            '%00',
            `${key.absent}x`,
            '9'.repeat(60),
            `${key.absent.replace(/\d+/, '')}0`,
          ])
            expect(await bodyOf(test.api.get(`${path}${id}/`), 404)).toEqual(NOT_FOUND);
        });

        const { itemFilters = [] } = resource;
        for (const [name, filter] of Object.entries(filters).filter(([one]) => itemFilters.includes(one))) {
          it(`takes the filter ${name}, and is not found where the list so filtered lacks it`, async () => {
            for (const { parameter, value, matches } of filter.cases(name, rows))
              for (const row of [rows.find(matches), rows.find((one) => !matches(one))]) {
                if (!row) continue;
                const { status } = await test.api.strict.get(at(row), { [parameter]: value });
                expect([parameter, value, status]).toEqual([parameter, value, matches(row) ? 200 : 404]);
              }
          });

          it.each(Object.entries(filter.invalid).map(([suffix, values]) => [name + suffix, values] as const))(
            'with %s refuses %j, naming the parameter',
            async (parameter, values) => {
              for (const value of values)
                expect(await bodyOf(test.api.get(at(rows[0] as Row), { [parameter]: value }), 400)).toEqual({
                  [parameter]: [expect.any(String)],
                });
            },
          );
        }

        it('takes no other filter, and none where it is written', () => {
          const known = new Set(parametersOf(Object.keys(filters)));
          const taken = (method: string): string[] =>
            queryParametersOf(method, `${path}${key.absent}/`)
              .map(({ name }) => name)
              .filter((name) => known.has(name));
          expect(taken('GET').sort()).toEqual(parametersOf(itemFilters).sort());
          expect(taken('PATCH')).toEqual([]);
        });
      });

    if (everyInclude)
      describe('The parameter include', () => {
        it.each(Object.entries(includes))('%s adds its fields and no others', async (name, added) => {
          expect(misfits(await list({ include: name }), { ...fields, ...added })).toEqual([]);
        });

        it('takes several names, each once or often, and leaves rows and their order alone', async () => {
          const query = { include: `${everyInclude},${everyInclude}` };
          const all = Object.assign({}, fields, ...Object.values(includes)) as typeof fields;
          const found = await list(query);
          expect(keysOf(found)).toEqual(keysOf(rows));
          expect(misfits(found, all)).toEqual([]);
        });
      });

    if (Object.keys(expands).length)
      describe('The parameter expand', () => {
        it.each(Object.entries(expands))('%s replaces its fields and no others', async (name, replaced) => {
          const found = await list({ expand: name });
          expect(keysOf(found)).toEqual(keysOf(rows));
          expect(misfits(found, { ...fields, ...replaced })).toEqual([]);
        });
      });

    describe('The parameter exclude', () => {
      let first: Row | undefined;
      beforeAll(async () => {
        [first] = await list({ page_size: 1 });
      });

      it.each(Object.keys(fields))('leaves out %s alone', async (field) => {
        const { [field]: value, ...others } = first as Row;
        const [short] = await list({ page_size: 1, exclude: field });
        expect(short).toEqual(field === 'id' ? { id: value, ...others } : others);
      });

      it('takes several names, those of includes too', async () => {
        const all = [...Object.keys(fields), ...Object.values(includes).flatMap((group) => Object.keys(group))];
        const found = await list({ include: everyInclude, exclude: all.join(',') });
        expect(found).toEqual(rows.map((row) => ('id' in fields ? { id: row['id'] } : {})));
      });
    });

    for (const [name, filter] of Object.entries(filters))
      describe(`The filter ${name}`, () => {
        it.each(filter.suffixes.map((suffix) => [name + suffix]))(
          '%s finds what the whole list holds',
          async (parameter) => {
            const cases = filter.cases(name, rows).filter((one) => one.parameter === parameter);
            expect(cases.length).toBeGreaterThan(0);
            const found: [FilterCase['value'], Json[]][] = [];
            const expected: [FilterCase['value'], Json[]][] = [];
            for (const { value, matches } of cases) {
              found.push([value, await listKeys({ [parameter]: value })]);
              expected.push([value, keysOf(rows.filter(matches))]);
            }
            expect(found).toEqual(expected);
          },
        );

        it.each(Object.entries(filter.invalid).map(([suffix, values]) => [name + suffix, values] as const))(
          '%s refuses %j, naming itself',
          async (parameter, values) => {
            for (const value of values) {
              const { status, body } = await test.api.get<ErrorBody>(path, { [parameter]: value });
              expect([value, status, body]).toEqual([value, 400, { [parameter]: [expect.any(String)] }]);
            }
          },
        );

        it(filter.repeatable ? 'may be given twice' : 'given twice is a 400', async () => {
          const { status, body } = await test.api.get<ErrorBody>(path, { [name]: [filter.valid, filter.valid] });
          expect(status).toBe(filter.repeatable ? 200 : 400);
          if (!filter.repeatable) expect(body).toEqual({ [name]: [expect.any(String)] });
        });

        it('without a value is not set, with a null character a 400', async () => {
          expect(await listKeys({ [name]: '' })).toEqual(keysOf(rows));
          expect(Object.keys(await bodyOf(test.api.get<ErrorBody>(path, { [name]: 'a\0' }), 400))).toEqual([name]);
        });
      });

    it('joins filters by and, tells all that are wrong at once, and combines them with search and paging', async () => {
      const cases = Object.entries(filters).flatMap(([name, filter]) =>
        filter.cases(name, rows).filter(({ parameter, matches }) => parameter === name && rows.some(matches)),
      );
      const [one, two] = [cases[0], cases.findLast(({ parameter }) => parameter !== cases[0]?.parameter)];
      if (one && two) {
        const both = rows.filter((row) => one.matches(row) && two.matches(row));
        const query = { [one.parameter]: one.value, [two.parameter]: two.value };
        expect(await listKeys(query)).toEqual(keysOf(both));
        const page = await bodyOf(test.api.get<Page<Row>>(path, { ...query, page_size: 1 }));
        expect(page.count).toBe(both.length);
      }
      const wrong = Object.entries(filters).flatMap(([name, { invalid }]) =>
        Object.entries(invalid).map(([suffix, values]) => [name + suffix, values[0] ?? '']),
      );
      const errors = await bodyOf(
        test.api.get<ErrorBody>(path, { ...(Object.fromEntries(wrong) as Query), ordering: 'bogus', page_size: 'x' }),
        400,
      );
      expect(new Set(Object.keys(errors))).toEqual(new Set([...wrong.map(([name]) => name), 'ordering', 'page_size']));
    });

    describe.each(Object.entries(orderings))('The ordering %s', (name, keysFor) => {
      it.each([
        [name, 1],
        [`-${name}`, -1],
      ])('%s sorts the whole list, and every page is a part of it', async (ordering, direction) => {
        const sorted = await listKeys({ ordering });
        expect(new Set(sorted)).toEqual(new Set(keysOf(rows)));
        expect(sorted).toHaveLength(rows.length);
        const byKey = new Map(rows.map((row) => [row[key.field], keysFor(row)]));
        for (const [place, value] of sorted.slice(1).entries()) {
          const before = byKey.get(sorted[place] ?? null) ?? [];
          if (compareKeys(before, byKey.get(value) ?? []) * direction > 0)
            throw new Error(
              `${String(sorted[place])} stands before ${String(value)} in ${ordering}: ${JSON.stringify([before, byKey.get(value)].map(String))}`,
            );
        }
        const size = Math.max(3, Math.ceil(rows.length / 12));
        const pages = Array.from({ length: Math.ceil(rows.length / size) }, (_, place) =>
          listKeys({ ordering, page_size: size, page: place + 1 }),
        );
        expect((await Promise.all(pages)).flat()).toEqual(sorted);
      });
    });

    describe('The parameter ordering', () => {
      it(`is ${resource.defaultOrdering} where it is not given`, async () => {
        expect(await listKeys()).toEqual(await listKeys({ ordering: resource.defaultOrdering }));
      });

      it('takes several terms, the first being the strongest', async () => {
        const names = Object.keys(orderings);
        const [first = '', second = names[0] ?? ''] = [names.at(-1), names[0]];
        const firstKeys = orderings[first];
        const secondKeys = orderings[second];
        const byKey = new Map(rows.map((row) => [row[key.field], row]));
        const sorted = (await listKeys({ ordering: `-${first},${second}` })).map((value) => byKey.get(value) as Row);
        const misplaced = sorted.slice(1).filter((row, place) => {
          const before = sorted[place] as Row;
          const order = compareKeys(firstKeys?.(before) ?? [], firstKeys?.(row) ?? []);
          return order < 0 || (order === 0 && compareKeys(secondKeys?.(before) ?? [], secondKeys?.(row) ?? []) > 0);
        });
        expect(misplaced).toEqual([]);
      });

      it.each(['bogus', '-bogus', '--id', 'Id', 'id;', '1', 'id desc', '__proto__', 'constructor'])(
        '%s is a 400 that lists the allowed ones',
        async (ordering) => {
          const errors = await bodyOf(test.api.get<{ ordering: string[] }>(path, { ordering }), 400);
          expect(Object.keys(errors)).toEqual(['ordering']);
          for (const name of Object.keys(orderings)) expect(errors.ordering[0]).toContain(name);
        },
      );
    });

    if (search)
      describe('The parameter search', () => {
        const found = (term: string): Json[] => {
          const words = term
            .toLowerCase()
            .split(/\s+/)
            .filter((word) => word !== '');
          const matches = (row: Row): boolean => {
            const values = search(row).map((value) => value.toLowerCase());
            return words.every((word) => values.some((value) => value.includes(word)));
          };
          return keysOf(rows.filter(matches));
        };

        it('finds every word anywhere in the fields that it looks at, without regard to case', async () => {
          const terms = new Set<string>();
          for (const row of [rows[0], rows[Math.floor(rows.length / 2)], ...rows.slice(-12)])
            for (const whole of search(row as Row)) {
              // A search takes only so many words.
              const value = whole
                .split(/(?<=\s)/)
                .slice(0, 20)
                .join('');
              terms.add(value);
              terms.add(value.toUpperCase());
              terms.add(value.slice(1, -1));
              terms.add(value.split(/\s+/).toReversed().join('  '));
            }
          for (const term of terms) expect([term, await listKeys({ search: term })]).toEqual([term, found(term)]);
        });

        it('joins words of different fields', async () => {
          for (const row of rows.slice(-5)) {
            const words = search(row)
              .flatMap((value) => value.split(/\s+/)[0] ?? [])
              .join(' ');
            const result = await listKeys({ search: words });
            expect(result).toEqual(found(words));
            expect(result).toContain(row[key.field]);
          }
        });

        it.each([
          '%',
          '_',
          '\\',
          '%%',
          '\\%',
          "'",
          '"',
          '(',
          '.*',
          '[a-z]',
          'ö',
          'é',
          '\n',
          ';--',
          'no such words anywhere',
          '%20',
        ])('takes %j as plain characters', async (term) => {
          expect(await listKeys({ search: term })).toEqual(found(term));
        });

        it('of blanks alone finds everything', async () => {
          expect(await listKeys({ search: '   ' })).toEqual(keysOf(rows));
        });
      });

    const { elsewhere } = resource;
    if (elsewhere)
      it('All of it is within what the path names, and not found below anything else', async () => {
        const [first] = rows as [Row, ...Row[]];
        const { emptyParent = 'T4' } = resource;
        expect(await bodyOf(test.api.get(elsewhere(emptyParent)))).toMatchObject(
          resource.paged ? { count: 0, next: null, previous: null, results: [] } : { results: [] },
        );
        const absent = ['T999999', 'CT999999', 'P1', 't5', '0', 'nonsense', '%00', '%27', '9'.repeat(60)];
        const requests = [emptyParent, ...absent].flatMap((parent): [string, string][] => [
          ...(parent === emptyParent
            ? []
            : methods.list.map((method): [string, string] => [method, elsewhere(parent)])),
          ...(methods.item ?? []).map((method): [string, string] => [
            method,
            `${elsewhere(parent)}${String(first[key.field])}/`,
          ]),
        ]);
        await changesNothing(test, async () => {
          for (const [method, where] of requests) {
            const answer = await test.api.send(method, where, method === 'GET' ? undefined : {});
            expect([method, where, answer.status, answer.body]).toEqual([method, where, 404, NOT_FOUND]);
          }
        });
      });

    describe('Paging', () => {
      it('shows count, next, previous and results, in that order, and leads through the whole list', async () => {
        const size = Math.max(2, Math.ceil(rows.length / 7));
        const seen: Json[] = [];
        let url: string | null = `${path}?page_size=${size}`;
        let before: string | null = null;
        for (let number = 1; url !== null; number += 1) {
          const page: Page<Row> = await bodyOf(test.api.get<Page<Row>>(url));
          expect(Object.keys(page)).toEqual([...(resource.beside ?? []), 'count', 'next', 'previous', 'results']);
          expect(page.count).toBe(rows.length);
          expect(page.previous === null).toBe(number === 1);
          if (before !== null)
            expect((await bodyOf(test.api.get<Page<Row>>(page.previous ?? ''))).results).toEqual(
              (await bodyOf(test.api.get<Page<Row>>(before))).results,
            );
          if (page.next !== null) expect(page.results).toHaveLength(size);
          seen.push(...keysOf(page.results));
          before = url;
          url = page.next;
        }
        expect(seen).toEqual(keysOf(rows));
      });

      it('has absolute links that keep every other parameter', async () => {
        const query = {
          page_size: 1,
          page: 2,
          ordering: resource.defaultOrdering,
          unknown: ['a b', 'c&d'],
          exclude: 'nothing',
        };
        const page = await bodyOf(test.api.get<Page<Row>>(path, query));
        for (const [link, number] of [
          [page.next, 3],
          [page.previous, 1],
        ] as const) {
          const url = new URL(link ?? '');
          expect(url.origin + url.pathname).toBe(`${test.origin}/api/v2${path}`);
          expect(url.searchParams.getAll('unknown')).toEqual(['a b', 'c&d']);
          expect(url.searchParams.get('page_size')).toBe('1');
          expect(url.searchParams.get('ordering')).toBe(resource.defaultOrdering);
          expect(url.searchParams.get('page') ?? '1').toBe(String(number));
        }
      });

      const { defaultSize, maximumSize } = resource.paged ?? { defaultSize: 100, maximumSize: 10_000 };

      it(`turns on with page alone, ${defaultSize} rows to the page`, async () => {
        const page = await bodyOf(test.api.get<Page<Row>>(path, { page: 1 }));
        expect(keysOf(page.results)).toEqual(keysOf(rows.slice(0, defaultSize)));
        expect(page.next === null).toBe(rows.length <= defaultSize);
      });

      it('takes a page_size above the maximum as the maximum', async () => {
        for (const size of [String(maximumSize + 1), '9'.repeat(30)]) {
          const { results } = await bodyOf(test.api.get<Page<Row>>(path, { page_size: size }));
          expect(results).toHaveLength(Math.min(rows.length, maximumSize));
        }
      });

      it.each(['0', '-1', 'x', '1.5', '99999', '9'.repeat(30), 'last', '1e1', ' '])(
        'of page "%s" is a 404',
        async (page) => {
          for (const query of [{ page }, { page, page_size: 2 }])
            expect(await bodyOf(test.api.get(path, query), 404)).toEqual({ detail: 'Invalid page.' });
        },
      );

      it('of a page just behind the last one is a 404, of the first page of nothing an empty one', async () => {
        expect(await bodyOf(test.api.get(path, { page_size: rows.length, page: 2 }), 404)).toEqual({
          detail: 'Invalid page.',
        });
        if (search) {
          const nothing = await bodyOf(test.api.get(path, { page: 1, search: 'no such words anywhere' }));
          expect(nothing).toEqual({ ...beside, count: 0, next: null, previous: null, results: [] });
        }
      });

      it.each(['0', '-1', 'x', '1.5', '1e1', '0x10', ' '])('with page_size "%s" is a 400', async (size) => {
        expect(await bodyOf(test.api.get(path, { page_size: size }), 400)).toEqual({ page_size: [expect.any(String)] });
      });
    });

    describe('Strict handling', () => {
      it('refuses unknown parameters and unknown values, naming them, and takes all that are known', async () => {
        expect(await bodyOf(test.api.strict.get(path, { bogus: 1 }), 400)).toEqual({ bogus: [expect.any(String)] });
        for (const parameter of ['include', 'expand', 'exclude']) {
          const errors = await bodyOf(test.api.strict.get<ErrorBody>(path, { [parameter]: 'bogus' }), 400);
          expect(JSON.stringify(errors[parameter])).toMatch(/bogus|unknown/);
        }
        const known = {
          ...(everyInclude && { include: everyInclude }),
          ...(Object.keys(expands).length && { expand: Object.keys(expands).join(',') }),
          exclude: Object.keys(fields)[1] ?? '',
          ordering: resource.defaultOrdering,
          page: 1,
          ...(search && { search: 'a' }),
          ...Object.fromEntries((resource.switches ?? []).map((name) => [name, 'false'])),
          ...Object.fromEntries(Object.entries(filters).map(([name, { valid }]) => [name, valid])),
        };
        await bodyOf(test.api.strict.get(path, known));
      });

      it('is off by default: what is unknown changes nothing', async () => {
        const query = { bogus: 1, include: 'bogus', expand: 'bogus', exclude: 'bogus' };
        expect(await list(query)).toEqual(await list());
      });
    });

    if (resource.switches)
      it.each(resource.switches)('The switch %s takes booleans and refuses anything else', async (name) => {
        for (const value of ['true', 'True', '1', 'false', 'False', '0', ''])
          await bodyOf(test.api.get(path, { [name]: value, page_size: 1 }));
        for (const value of ['maybe', '2'])
          expect(await bodyOf(test.api.get(path, { [name]: value }), 400)).toEqual({ [name]: [expect.any(String)] });
      });

    describe('Access', () => {
      const absent = `${path}${key.absent}/`;
      const requests = (): [string, string][] => [
        ...methods.list.map((method): [string, string] => [method, path]),
        ...(methods.item ?? []).map((method): [string, string] => [method, absent]),
      ];

      it('takes credentials for every method', async () => {
        for (const [method, where] of requests()) {
          expect((await test.api.as(null).send(method, where)).status).toBe(401);
          expect((await test.api.as('nonsense').send(method, where)).status).toBe(401);
        }
      });

      it(`lets ${resource.readers ? `whoever has ${resource.readers}` : 'any active user'} read`, async () => {
        if (resource.owner !== 'caller') expect(await listKeys({}, reader)).toEqual(await listKeys());
        if (methods.item?.includes('GET'))
          expect(await bodyOf(reader.get(at(rows[0] as Row)))).toEqual(await bodyOf(test.api.get(at(rows[0] as Row))));
      });

      if (resource.readers)
        it(`takes ${resource.readers} to read`, async () => {
          for (const where of [path, ...(methods.item ? [absent, at(rows[0] as Row)] : [])])
            expect(await bodyOf(anybody.get(where), 403)).toEqual({
              detail: expect.stringContaining(resource.readers ?? ''),
            });
        });

      const { writers } = resource;
      if (writers)
        it(`takes ${Object.values(typeof writers === 'string' ? [writers] : writers).join(', ')} to write`, async () => {
          for (const [method, where] of requests().filter(([name]) => name !== 'GET'))
            for (const path of where === absent ? [absent, at(rows[0] as Row)] : [where])
              expect(await changesNothing(test, () => bodyOf(anybody.send(method, path, {}), 403))).toEqual({
                detail: expect.stringContaining(typeof writers === 'string' ? writers : (writers[method] ?? '?')),
              });
        });

      it('answers other methods with 405 and Allow', async () => {
        const wanted = (names: readonly string[]): string[] =>
          [...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
        for (const [where, names] of [
          [path, methods.list],
          [absent, methods.item],
        ] as const) {
          if (!names) continue;
          for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((name) => !names.includes(name))) {
            const answer = await test.api.send(method, where, method === 'GET' ? undefined : {});
            expect([method, answer.status, answer.body]).toEqual([
              method,
              405,
              { detail: `Method "${method}" not allowed.` },
            ]);
            expect((answer.headers.allow ?? '').split(', ').sort()).toEqual(wanted(names));
          }
        }
      });
    });

    describe('Another organization', () => {
      /** What lies within an item of ours alone is not even a list for others. */
      let isList: boolean;
      beforeAll(async () => {
        isList = (await stranger.api.get(path)).status !== 404;
      });
      const theirKeys = async (query: Query = {}): Promise<Json[]> => (isList ? listKeys(query, stranger.api) : []);
      const mine = async (): Promise<Row[]> => {
        const theirs = new Set(await theirKeys());
        return rows.filter((row) => !theirs.has(row[key.field] ?? null));
      };

      it('sees nothing of what was made and changed here', async () => {
        expect(await everythingSeenBy(stranger)).toBe(strangerBefore);
      });

      it("can't read, change or delete what was made here: it is not found", async () => {
        for (const row of (await mine()).slice(0, 3))
          for (const method of methods.item ?? [])
            expect(
              await changesNothing(test, () =>
                bodyOf(stranger.api.send(method, at(row), method === 'GET' ? undefined : {}), 404),
              ),
            ).toEqual(NOT_FOUND);
      });

      it('finds nothing of it by filters and search', async () => {
        const keys = new Set(keysOf(await mine()));
        const cases = Object.entries(filters).flatMap(([name, filter]) => filter.cases(name, rows));
        const before = new Set(await theirKeys());
        for (const { parameter, value } of cases.filter(({ parameter }) => parameter in filters)) {
          const found = await theirKeys({ [parameter]: value });
          const ofMine = found.filter((one) => keys.has(one) && !before.has(one));
          expect([parameter, value, ofMine]).toEqual([parameter, value, []]);
        }
      });
    });

    const { create } = resource;
    if (create)
      describe('Making one', () => {
        it(`answers ${create.status} with the item as GET shows it`, async () => {
          const body = await create.body(test.api);
          const made = await bodyOf(test.api.post<Row>(path, body), create.status);
          const written = (resource.writeIncludes ?? []).map((name) => includes[name] ?? {});
          expect(differences(made, Object.assign({}, fields, ...written) as typeof fields)).toEqual([]);
          for (const [field, value] of Object.entries(body as object))
            if (!create.otherwiseShown?.includes(field)) expect(made).toMatchObject({ [field]: value });
          const found = await list({
            include: (resource.writeIncludes ?? []).join(','),
            ...(key.field in filters && { [key.field]: String(made[key.field]) }),
          });
          expect(found.find((row) => row[key.field] === made[key.field])).toEqual(made);
          const demanded = resource.patchDemands;
          if (methods.item?.includes('PATCH') && demanded !== undefined)
            expect(await changesNothing(test, () => bodyOf(test.api.patch(at(made), {}), 400))).toEqual({
              [demanded]: ['This field is required.'],
            });
          else if (methods.item?.includes('PATCH'))
            expect(await changesNothing(test, () => bodyOf(test.api.patch(at(made), {})))).toEqual(made);
          if (methods.item?.includes('DELETE')) {
            await bodyOf(test.api.delete(at(made)), 204);
            expect(await bodyOf(test.api.delete(at(made)), 404)).toEqual(NOT_FOUND);
          }
        });
      });

    it('The document lists exactly these parameters', () => {
      const parameters = queryParametersOf('GET', path);
      expect(parameters.map(({ name }) => name).sort()).toEqual(
        [
          ...(everyInclude ? ['include'] : []),
          ...(Object.keys(expands).length ? ['expand'] : []),
          'exclude',
          'ordering',
          'page',
          'page_size',
          ...(search ? ['search'] : []),
          ...(resource.switches ?? []),
          ...parametersOf(Object.keys(filters)),
        ].sort(),
      );
      const named = (name: string): Set<Json> => {
        const schema = parameters.find((parameter) => parameter.name === name)?.schema as
          | { items?: { enum?: Json[] } }
          | undefined;
        return new Set(schema?.items?.enum);
      };
      expect(named('include')).toEqual(new Set(Object.keys(includes)));
      expect(named('expand')).toEqual(new Set(Object.keys(expands)));
      expect(named('ordering')).toEqual(new Set(Object.keys(orderings).flatMap((name) => [name, `-${name}`])));
    });
  });
}
