import { useTestApi } from '#test/support/api.js';
import { bodyOf, type Json, rowsOf } from '#test/support/client.js';
import {
  countermeasureBody,
  makeAttribute,
  makeCountermeasure,
  makeThreat,
  makeWeakness,
} from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';
import type { AttributeCondition, List, MatchCondition, SurveyAnswer } from '#test/support/resources.js';

const test = useTestApi();

const FLAG = '/flags/DECISION_ENGINE/';
const turnOn = () => bodyOf(test.api.post('/flags/', { name: 'DECISION_ENGINE' }), 201);
const turnOff = () => bodyOf(test.api.delete(FLAG), 204);

interface Conditioned {
  id: string;
  match_conditions: (MatchCondition | AttributeCondition)[];
}

/** Creates an item of each kind that has match conditions; returns its path. */
const KINDS: [string, (fields: object) => Promise<string>][] = [
  ['countermeasure', async (fields) => `/library/tasks/${(await makeCountermeasure(test.api, fields)).id}/`],
  ['threat', async (fields) => `/library/threats/${(await makeThreat(test.api, fields)).id}/`],
  ['weakness', async (fields) => `/library/problems/${(await makeWeakness(test.api, fields)).id}/`],
  ...(['amendments', 'implementations'] as const).map((part): [string, (fields: object) => Promise<string>] => [
    part,
    async (fields) => {
      const { id } = await makeCountermeasure(test.api);
      const path = `/library/tasks/${id}/${part}/`;
      const created = await bodyOf(test.api.post<Conditioned>(path, { title: 'Part', text: 'text', ...fields }));
      return `${path}${created.id}/`;
    },
  ]),
];

const conditionsOf = async (path: string, query: object = {}) =>
  (await bodyOf(test.api.get<Conditioned>(path, { include: 'match_conditions', ...query }))).match_conditions;
const replace = async (path: string, conditions: unknown) =>
  (await bodyOf(test.api.patch<Conditioned>(path, { match_conditions: conditions }))).match_conditions;

describe.each(KINDS)('With the decision engine, the match conditions of a %s', (_kind, make) => {
  beforeAll(turnOn);
  afterAll(turnOff);

  it('consist of attributes in request bodies, in responses and on reads', async () => {
    const own = await makeAttribute(test.api);
    const path = await make({
      match_conditions: [
        { required_attributes: ['AT3', own.id, 'AT3'], excluded_attributes: ['AT1'], required: ['A1'] },
      ],
    });
    const shown = await conditionsOf(path);
    expect(shown).toEqual([
      {
        id: expect.stringMatching(/^CMC/),
        db_id: expect.any(Number),
        required_attributes: ['AT3', own.id],
        excluded_attributes: ['AT1'],
      },
    ]);
    expect(await replace(path, shown)).toEqual(shown);
  });

  it('may contain only attributes that exist, and none as both required and excluded', async () => {
    const path = await make({});
    const conditions = [
      { required_attributes: ['AT1'] },
      { required_attributes: ['AT999999', 'CAT999999'], excluded_attributes: ['A1'] },
      { required_attributes: ['AT1', 'AT2'], excluded_attributes: ['AT2'] },
    ];
    const errors = await changesNothing(test, () =>
      bodyOf(test.api.patch(path, { match_conditions: conditions }), 400),
    );
    expect(errors).toEqual({
      match_conditions: [
        {},
        {
          required_attributes: ['"AT999999" does not exist.', '"CAT999999" does not exist.'],
          excluded_attributes: ['"A1" does not exist.'],
        },
        { non_field_errors: ['"AT2" is both required and excluded.'] },
      ],
    });
  });
});

describe.each(KINDS)('Switching the decision engine on and off, for the match conditions of a %s', (_kind, make) => {
  it('loses neither the answers nor the attributes, even if conditions change in between', async () => {
    const path = await make({ match_conditions: [{ required: ['A1'], excluded: ['A2'] }] });
    const [first] = (await conditionsOf(path)) as [MatchCondition];
    await turnOn();
    await replace(path, [{ id: first.id, required_attributes: ['AT1'] }, { required_attributes: ['AT2'] }]);
    await turnOff();
    const inBetween = await conditionsOf(path);
    expect(inBetween).toMatchObject([first, { required: [], excluded: [] }]);
    await replace(path, [{ ...inBetween[0], required: ['A3'] }, inBetween[1]]);
    await turnOn();
    expect(await conditionsOf(path)).toMatchObject([
      { id: first.id, required_attributes: ['AT1'] },
      { required_attributes: ['AT2'] },
    ]);
    await turnOff();
    expect(await conditionsOf(path)).toMatchObject([{ required: ['A3'], excluded: ['A2'] }, { required: [] }]);
  });
});

describe.each(KINDS)('A match condition of a %s without lists of the current mode', (_kind, make) => {
  afterEach(() => test.api.delete(FLAG));

  it('is rejected with the names of the fields to use', async () => {
    const path = await make({ match_conditions: [{ required: ['A1'] }] });
    const rejected = (...conditions: object[]): Promise<unknown> =>
      changesNothing(test, () => bodyOf(test.api.patch(path, { match_conditions: conditions }), 400));
    const answers = { non_field_errors: ['Use "required" and "excluded".'] };
    expect(await rejected({ required: ['A1'] }, {}, { required_attributes: ['AT1'] }, { id: 'CMC1' })).toEqual({
      match_conditions: [{}, answers, answers, answers],
    });
    await turnOn();
    const attributes = { non_field_errors: ['Use "required_attributes" and "excluded_attributes".'] };
    expect(await rejected({ required: ['A1'], excluded: [] }, {}, { excluded_attributes: [] })).toEqual({
      match_conditions: [attributes, attributes, {}],
    });
  });

  it('is found by match_conditions_incomplete if it is stored, and shows empty lists', async () => {
    const path = await make({ match_conditions: [{ required: ['A1'] }, { excluded: ['A2'] }] });
    const complete = await make({});
    const idOf = (one: string) => one.split('/').at(-2) ?? '';
    const found = async (one: string, value: boolean) =>
      (
        await rowsOf(
          test.api.strict.get<List<Conditioned>>(one.replace(/[^/]+\/$/, ''), {
            id: idOf(one),
            match_conditions_incomplete: value,
          }),
        )
      ).length;
    expect([await found(path, true), await found(path, false)]).toEqual([0, 1]);
    await turnOn();
    expect([await found(path, true), await found(path, false), await found(complete, true)]).toEqual([1, 0, 0]);
    const shown = await conditionsOf(path);
    expect(shown).toMatchObject([
      { required_attributes: [], excluded_attributes: [] },
      { required_attributes: [], excluded_attributes: [] },
    ]);
    expect(await replace(path, shown)).toEqual(shown);
    expect(await found(path, true)).toBe(1);
  });
});

describe('A stored match condition without lists of the current mode', () => {
  afterEach(() => test.api.delete(FLAG));

  it('adds its item to no project, and is explained', async () => {
    const weakness = await makeWeakness(test.api);
    const task = await makeCountermeasure(test.api, {
      problem: weakness.id,
      match_conditions: [{ excluded: ['A2'] }],
    });
    const part = { title: 'Part', text: 'text', match_conditions: [{ excluded: ['A2'] }] };
    await bodyOf(test.api.post(`/library/tasks/${task.id}/amendments/`, part));
    const plain = await makeCountermeasure(test.api, { problem: weakness.id });
    await bodyOf(test.api.post(`/library/tasks/${plain.id}/amendments/`, part));
    const amendmentsOf = async (project: number) =>
      (
        await bodyOf(
          test.api.get<{ amendments: object[] }>(`/projects/${project}/tasks/${project}-${plain.id}/`, {
            include: 'amendments',
          }),
        )
      ).amendments;
    const before = await makeProject(test);
    await bodyOf(test.api.get(`/projects/${before.id}/tasks/${before.id}-${task.id}/`));
    expect(await amendmentsOf(before.id)).toHaveLength(1);
    await turnOn();
    const after = await makeProject(test);
    await bodyOf(test.api.get(`/projects/${after.id}/tasks/${after.id}-${task.id}/`), 404);
    expect(await amendmentsOf(after.id)).toEqual([]);
    const explained = await bodyOf(
      test.api.get<{ conditions: object[]; reasons: object[] }>(`/projects/${after.id}/tasks/${task.id}/explain/`),
    );
    expect(explained.conditions).toMatchObject([{ holds: false, required: [], excluded: [] }]);
    expect(explained.reasons).toContainEqual({
      effect: 'out',
      type: 'condition',
      ref: task.match_conditions?.[0]?.id,
      text: expect.stringContaining('it uses answers, but attributes decide'),
    });
  });
});

describe('Match condition lists of the other mode', () => {
  it('are ignored next to lists of the current mode, whatever they contain, and rejected in strict mode', async () => {
    const body = countermeasureBody({ match_conditions: [{ required: ['A1'], required_attributes: 5 }] });
    const created = await bodyOf(test.api.post<Conditioned>('/library/tasks/', body));
    expect(created.match_conditions).toMatchObject([{ required: ['A1'] }]);
    expect(await bodyOf(test.api.strict.post('/library/tasks/', body), 400)).toEqual({
      match_conditions: [{ required_attributes: ['This field is unknown.'] }],
    });
    await turnOn();
    const other = countermeasureBody({ match_conditions: [{ required: { no: 'list' }, required_attributes: [] }] });
    const inMode = await bodyOf(test.api.post<Conditioned>('/library/tasks/', other));
    expect(inMode.match_conditions).toMatchObject([{ required_attributes: [], excluded_attributes: [] }]);
    await turnOff();
  });
});

describe('The decision engine', () => {
  beforeAll(turnOn);
  afterAll(turnOff);

  it('shows attributes in expanded match conditions, including those of an expanded weakness', async () => {
    const weakness = await makeWeakness(test.api, { match_conditions: [{ excluded_attributes: ['AT2'] }] });
    const { id } = await makeCountermeasure(test.api, {
      problem: weakness.id,
      match_conditions: [{ required_attributes: ['AT1'] }],
    });
    const path = `/library/tasks/${id}/`;
    const object = (number: number) => ({ id: number, item_id: `AT${number}`, name: expect.any(String) });
    for (const expand of ['answers,problem', 'attributes,problem']) {
      const query = { include: 'match_conditions', expand };
      const body = await bodyOf(test.api.get<{ problem: Json } & Conditioned>(path, query));
      expect(body.match_conditions).toMatchObject([{ required_attributes: [object(1)], excluded_attributes: [] }]);
      expect(body.problem).toMatchObject({ match_conditions: [{ excluded_attributes: [object(2)] }] });
    }
  });

  it.each(['/library/problems/', '/library/tasks/', '/library/threats/'])(
    'gives the built-in match conditions of %s the attributes that their answers add',
    async (path) => {
      const answers = await rowsOf(test.api.get<List<SurveyAnswer>>('/library/answers/'));
      const firstOf = new Map(answers.map(({ id, attributes }) => [id, attributes[0]]));
      const read = () =>
        rowsOf(test.api.get<List<Conditioned>>(path, { type__in: 'Built-in', include: 'match_conditions' }));
      const about = await read();
      await turnOff();
      const plain = await read();
      await turnOn();
      expect(plain.some(({ match_conditions: conditions }) => conditions.length)).toBe(true);
      for (const [index, { match_conditions: conditions }] of plain.entries())
        for (const [conditionIndex, condition] of (conditions as MatchCondition[]).entries())
          expect(about[index]?.match_conditions[conditionIndex]).toMatchObject({
            id: condition.id,
            required_attributes: condition.required.map((answer) => firstOf.get(answer)),
            excluded_attributes: condition.excluded.map((answer) => firstOf.get(answer)),
          });
    },
  );

  it("rejects match conditions with another organization's attributes", async () => {
    const { id } = await makeAttribute(test.api);
    const other = await test.newOrganization();
    await bodyOf(other.api.post('/flags/', { name: 'DECISION_ENGINE' }), 201);
    const body = countermeasureBody({ match_conditions: [{ required_attributes: [id] }] });
    expect(await bodyOf(other.api.post('/library/tasks/', body), 400)).toHaveProperty('match_conditions');
  });

  it('is on only for the organization that turned it on', async () => {
    const other = await test.newOrganization();
    const weakness = await makeWeakness(other.api, { match_conditions: [{ required: ['A1'] }] });
    expect(weakness.match_conditions).toMatchObject([{ required: ['A1'], excluded: [] }]);
  });
});
