import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { builtIns, makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import { changesNothing } from '#test/support/records.js';
import type { Countermeasure, MatchCondition } from '#test/support/resources.js';

const test = useTestApi();

interface Owner {
  id: string;
  db_id: number;
  type: string;
  match_conditions?: MatchCondition[];
}

describe.each([
  {
    kind: 'countermeasure',
    path: '/library/tasks/',
    make: (fields: object): Promise<Owner> => makeCountermeasure(test.api, fields),
  },
  {
    kind: 'weakness',
    path: '/library/problems/',
    make: (fields: object): Promise<Owner> => makeWeakness(test.api, fields),
  },
])('The match conditions of a $kind', ({ path, make }) => {
  const at = (id: string): string => `${path}${id}/`;
  const nextBuiltIn = builtIns<Owner>(path);
  const conditionsOf = async (id: string, query: object = {}): Promise<MatchCondition[]> =>
    (await bodyOf(test.api.get<Required<Owner>>(at(id), { include: 'match_conditions', ...query }))).match_conditions;
  const replace = async (id: string, conditions: unknown): Promise<MatchCondition[]> =>
    (await bodyOf(test.api.patch<Required<Owner>>(at(id), { match_conditions: conditions }))).match_conditions;
  /** A built-in item with at least one built-in condition. */
  const builtInWithConditions = async (): Promise<{ id: string; builtIn: MatchCondition[] }> => {
    for (;;) {
      const { id } = await nextBuiltIn(test.api);
      const builtIn = await conditionsOf(id);
      if (builtIn.length) return { id, builtIn };
    }
  };

  it('get unique ids and negative db_ids, and keep their order', async () => {
    const conditions = [
      { required: ['A3', 'A1'], excluded: ['A2'] },
      { required: ['A4'] },
      { excluded: ['A5'] },
      { required: [] },
    ];
    const { match_conditions: created = [] } = await make({ match_conditions: conditions });
    expect(created.map(({ required, excluded }) => ({ required, excluded }))).toEqual([
      { required: ['A3', 'A1'], excluded: ['A2'] },
      { required: ['A4'], excluded: [] },
      { required: [], excluded: ['A5'] },
      { required: [], excluded: [] },
    ]);
    for (const { id, db_id: dbId } of created) expect(id).toBe(`CMC${-dbId}`);
    expect(new Set(created.map(({ id }) => id)).size).toBe(4);
  });

  it('contain each answer once, however often it is given', async () => {
    const { match_conditions: created } = await make({
      match_conditions: [{ required: ['A1', 'A1', 'A2'], excluded: ['A3', 'A3'] }],
    });
    expect(created).toMatchObject([{ required: ['A1', 'A2'], excluded: ['A3'] }]);
  });

  it('are checked in linear time, even with long lists', async () => {
    /** CPU time for checking 8,000 answers in lists of one length, in microseconds. */
    const timeOf = async (length: number): Promise<number> => {
      const condition = {
        required: Array.from({ length }, () => 'A1'),
        excluded: Array.from({ length }, () => 'A2'),
      };
      const times: number[] = [];
      // The fastest of three runs: the process also collects the garbage of earlier suites.
      for (let time = 0; time < 3; time += 1) {
        const before = process.cpuUsage();
        const conditions = Array.from({ length: 4000 / length }, () => condition);
        const { match_conditions: created = [] } = await make({ match_conditions: conditions });
        expect(created).toHaveLength(conditions.length);
        times.push(process.cpuUsage(before).user);
      }
      return Math.min(...times);
    };
    const short = await timeOf(20);
    // Lists have at most 100 entries, and items at most 200 conditions.
    expect(await timeOf(100)).toBeLessThan(2 * short);
  });

  it('are returned by writes, and by reads only if included', async () => {
    const { id } = await make({ match_conditions: [{ required: ['A1'] }] });
    expect(await bodyOf(test.api.get(at(id)))).not.toHaveProperty('match_conditions');
    expect(await conditionsOf(id)).toHaveLength(1);
    expect(await bodyOf(test.api.patch(at(id), {}))).toHaveProperty('match_conditions');
  });

  it('are replaced as a whole', async () => {
    const { id, match_conditions: before = [] } = await make({
      match_conditions: [{ required: ['A1'] }, { required: ['A2'] }],
    });
    const after = await replace(id, [{ required: ['A3'] }]);
    expect(after).toMatchObject([{ required: ['A3'], excluded: [] }]);
    expect(before.map((condition) => condition.id)).not.toContain(after[0]?.id);
    expect(await replace(id, [])).toEqual([]);
  });

  it('do not change in a PATCH without them', async () => {
    const { id, match_conditions: before } = await make({ match_conditions: [{ required: ['A1'] }] });
    await bodyOf(test.api.patch(at(id), { text: 'changed' }));
    expect(await conditionsOf(id)).toEqual(before);
  });

  it('keep the id that a PATCH gives, even in another position', async () => {
    const { id, match_conditions: before = [] } = await make({
      match_conditions: [{ required: ['A1'] }, { required: ['A2'] }],
    });
    const [first, second] = before as [MatchCondition, MatchCondition];
    const after = await replace(id, [{ required: ['A9'] }, second, { ...first, required: ['A7'] }]);
    expect(after.map((condition) => condition.id)).toEqual([expect.stringMatching(/^CMC/), second.id, first.id]);
    expect(after[1]).toEqual(second);
    expect(after[2]).toEqual({ ...first, required: ['A7'] });
    expect([first.id, second.id]).not.toContain(after[0]?.id);
  });

  it('get a new id if a PATCH gives an id of another item or an unknown one', async () => {
    const other = await make({ match_conditions: [{ required: ['A1'] }] });
    const foreign = other.match_conditions?.[0]?.id ?? '';
    const { id } = await make({});
    const [taken, unknown] = await replace(id, [
      { id: foreign, required: ['A1'] },
      { id: 'MC999999', required: ['A2'] },
    ]);
    expect([foreign, 'MC999999']).not.toContain(taken?.id);
    expect(unknown?.id).toMatch(/^CMC/);
    expect(await conditionsOf(other.id)).toEqual(other.match_conditions);
  });

  it('never reuse an id', async () => {
    const { id, match_conditions: before = [] } = await make({ match_conditions: [{ required: ['A1'] }] });
    await replace(id, []);
    const [again] = await replace(id, [{ required: ['A1'] }]);
    expect(again?.db_id).toBeLessThan(before[0]?.db_id ?? 0);
  });

  it('have the id MC<n> and a positive db_id if they are built-in', async () => {
    const { builtIn } = await builtInWithConditions();
    for (const condition of builtIn) expect(condition.id).toBe(`MC${condition.db_id}`);
  });

  it('keep their id and get a negative db_id when a built-in one is changed', async () => {
    const { id, builtIn } = await builtInWithConditions();
    const [condition] = builtIn as [MatchCondition];
    const [changed] = await replace(id, [{ ...condition, required: ['A1'], excluded: ['A2'] }]);
    expect(changed).toMatchObject({ id: condition.id, required: ['A1'], excluded: ['A2'] });
    expect(changed?.db_id).toBeLessThan(0);
  });

  it('keep the built-in ones for other organizations, for show_original and after the item is restored', async () => {
    const { id, builtIn } = await builtInWithConditions();
    await replace(id, [{ required: ['A1'] }]);
    const other = await test.newOrganization();
    const seen = await bodyOf(other.api.get<Owner>(at(id), { include: 'match_conditions' }));
    expect(seen.match_conditions).toEqual(builtIn);
    expect(await conditionsOf(id, { show_original: true })).toEqual(builtIn);
    await bodyOf(test.api.delete(at(id)), 204);
    expect(await conditionsOf(id)).toEqual(builtIn);
  });

  it('keep the ids and db_ids of built-in ones when only another field is changed', async () => {
    const { id, builtIn } = await builtInWithConditions();
    await bodyOf(test.api.patch(at(id), { text: 'changed' }));
    expect(await conditionsOf(id)).toEqual(builtIn);
    expect(await replace(id, builtIn)).toEqual(builtIn);
  });

  it('may not require and exclude the same answer: the errors contain {} for valid ones', async () => {
    const { id } = await make({ match_conditions: [{ required: ['A1'] }] });
    const body = { match_conditions: [{ required: ['A1'] }, { required: ['A1', 'A2'], excluded: ['A2'] }] };
    const errors = await changesNothing(test, () => bodyOf(test.api.patch(at(id), body), 400));
    expect(errors).toEqual({ match_conditions: [{}, { non_field_errors: ['"A2" is both required and excluded.'] }] });
  });

  it('may contain only answers that exist: the errors contain {} for valid ones', async () => {
    const { id } = await make({});
    const body = { match_conditions: [{ required: ['A1'] }, { required: ['A999999'], excluded: ['T1', 'A1'] }] };
    const errors = await changesNothing(test, () => bodyOf(test.api.patch(at(id), body), 400));
    expect(errors).toEqual({
      match_conditions: [{}, { required: ['"A999999" does not exist.'], excluded: ['"T1" does not exist.'] }],
    });
  });

  it('may not contain the same id twice', async () => {
    const { id, match_conditions: [condition] = [] } = await make({ match_conditions: [{ required: ['A1'] }] });
    const errors = await changesNothing(test, () =>
      bodyOf(test.api.patch(at(id), { match_conditions: [condition, condition] }), 400),
    );
    expect(errors).toEqual({ match_conditions: [{}, { id: [expect.any(String)] }] });
  });

  it('report errors at the position of each invalid one', async () => {
    const { id } = await make({});
    const body = { match_conditions: [{ required: ['A1'] }, { required: 5 }, { excluded: [1] }] };
    expect(await bodyOf(test.api.patch(at(id), body), 400)).toEqual({
      match_conditions: [{}, { required: [expect.any(String)] }, { excluded: [expect.any(String)] }],
    });
  });
});

describe('Match conditions', () => {
  it('are numbered per organization, across kinds of items', async () => {
    const { api } = await test.newOrganization();
    const weakness = await makeWeakness(api, { match_conditions: [{ required: ['A1'] }] });
    const countermeasure = await makeCountermeasure(api, {
      match_conditions: [{ required: ['A1'] }, { required: ['A2'] }],
    });
    const ids = [...(weakness.match_conditions ?? []), ...(countermeasure.match_conditions ?? [])].map(({ id }) => id);
    expect(ids).toEqual(['CMC1', 'CMC2', 'CMC3']);
  });

  it('contain answers as objects with expand=answers, also for weaknesses, in lists and single items', async () => {
    const { id } = await makeWeakness(test.api, { match_conditions: [{ required: ['A1'], excluded: ['A2'] }] });
    const query = { include: 'match_conditions', expand: 'answers' };
    const expanded = [{ required: [{ id: 'A1', text: expect.any(String) }], excluded: [{ id: 'A2' }] }];
    expect(await bodyOf(test.api.get(`/library/problems/${id}/`, query))).toMatchObject({ match_conditions: expanded });
    const list = test.api.strict.get<{ results: object[] }>('/library/problems/', { ...query, id });
    expect(await rowsOf(list)).toMatchObject([{ match_conditions: expanded }]);
  });

  it('are included in the expanded weakness of a countermeasure along with its own', async () => {
    const weakness = await makeWeakness(test.api, { match_conditions: [{ required: ['A1'] }] });
    const { id, match_conditions: own } = await makeCountermeasure(test.api, {
      problem: weakness.id,
      match_conditions: [{ required: ['A2'] }],
    });
    const query = { include: 'match_conditions', expand: 'problem,answers' };
    const body = await bodyOf(test.api.get<Countermeasure & { problem: object }>(`/library/tasks/${id}/`, query));
    expect(body.problem).toMatchObject({
      match_conditions: [{ id: weakness.match_conditions?.[0]?.id, required: [{ id: 'A1' }] }],
    });
    expect(body.match_conditions).toMatchObject([{ id: own?.[0]?.id, required: [{ id: 'A2' }] }]);
  });
});
