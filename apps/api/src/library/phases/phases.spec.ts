import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeCountermeasure, unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';

interface Phase {
  id: string;
  db_id: number;
  name: string;
  slug: string;
  description: string;
  tip: string;
  ordinal: number;
  active: boolean;
  is_custom: boolean;
  retain: boolean;
}

const test = useTestApi();
const path = '/phases/';
const at = (id: string): string => `${path}${id}/`;
const makePhase = (fields: object = {}): Promise<Phase> =>
  bodyOf(test.api.post<Phase>(path, { name: unique('Phase'), ...fields }), 201);

describe('Creating a phase', () => {
  it('returns 201 with the phase, a slug derived from its name and the last position', async () => {
    const last = Math.max(...(await rowsOf(test.api.get<List<Phase>>(path))).map(({ ordinal }) => ordinal));
    const name = unique('Threat Modelling');
    const created = await makePhase({ name: `  ${name} ` });
    expect(created).toEqual({
      id: expect.stringMatching(/^CX[1-9]\d*$/),
      db_id: -Number(created.id.slice(2)),
      name,
      slug: name.toLowerCase().replaceAll(' ', '-'),
      description: '',
      tip: '',
      ordinal: last + 1,
      active: true,
      is_custom: true,
      retain: false,
    });
  });

  it('never reuses an id', async () => {
    const first = await makePhase();
    await bodyOf(test.api.delete(at(first.id)), 204);
    expect((await makePhase()).db_id).toBe(first.db_id - 1);
  });

  it('rejects the name of another built-in or custom phase, regardless of case', async () => {
    const { name } = await makePhase();
    for (const taken of ['development', name.toUpperCase(), ` ${name} `])
      expect(await changesNothing(test, () => bodyOf(test.api.post(path, { name: taken }), 400))).toEqual({
        name: ['A phase with this name already exists.'],
      });
  });

  it('accepts a name that another organization uses', async () => {
    const { name } = await makePhase();
    const other = await test.newOrganization();
    await bodyOf(other.api.post(path, { name }), 201);
  });

  it('keeps slugs unique if names differ only in punctuation, and uses the id if a name has no letters', async () => {
    const name = unique('Same words');
    const slugs = [
      await makePhase({ name }),
      await makePhase({ name: `${name}!` }),
      await makePhase({ name: `${name}?` }),
    ];
    expect(slugs.map(({ slug }) => slug)).toEqual(['', '-2', '-3'].map((end) => slugs[0]?.slug + end));
    const { id, slug } = await makePhase({ name: '???' });
    expect(slug).toBe(id.toLowerCase());
  });

  it('succeeds once for concurrent requests with one name', async () => {
    const name = unique('Race');
    const answers = await Promise.all(Array.from({ length: 6 }, () => test.api.post(path, { name })));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400, 400, 400, 400, 400]);
  });

  it.each([
    ['name', null],
    ['name', ' '],
    ['name', 5],
    ['name', 'x'.repeat(501)],
    ['name', 'a\0'],
    ['name', '\ud800'],
    ['description', null],
    ['description', 'x'.repeat(100_001)],
    ['tip', 7],
    ['ordinal', -1],
    ['ordinal', 1_000_001],
    ['ordinal', 1e300],
    ['ordinal', 1.5],
    ['ordinal', 'first'],
    ['active', 'maybe'],
    ['retain', null],
  ])('rejects an invalid %s (case %#), like a change does', async (field, value) => {
    const phase = await makePhase();
    const rejected = { [field]: [expect.any(String)] };
    await changesNothing(test, async () => {
      expect(await bodyOf(test.api.post(path, { name: unique(), [field]: value }), 400)).toEqual(rejected);
      expect(await bodyOf(test.api.patch(at(phase.id), { [field]: value }), 400)).toEqual(rejected);
    });
  });
});

describe('Changing a phase', () => {
  it('changes what is sent and keeps the slug', async () => {
    const phase = await makePhase();
    const name = unique('Renamed');
    expect(await bodyOf(test.api.patch(at(phase.id), { name, ordinal: '2', retain: 'True', slug: 'x' }))).toEqual({
      ...phase,
      name,
      ordinal: 2,
      retain: true,
    });
  });

  it('accepts its own name in another case, but not the name of another phase', async () => {
    const [phase, other] = [await makePhase(), await makePhase()];
    await bodyOf(test.api.patch(at(phase.id), { name: phase.name.toUpperCase() }));
    await changesNothing(test, () => bodyOf(test.api.patch(at(phase.id), { name: other.name }), 400));
  });

  it('is rejected with 403 for a built-in phase, unless the change is empty', async () => {
    for (const body of [{ name: 'Ours' }, { active: false }, { ordinal: 9 }, { name: '' }, { ordinal: 'x' }])
      expect(await changesNothing(test, () => bodyOf(test.api.patch(at('X3'), body), 403))).toEqual({
        detail: "Built-in phases can't be changed or deleted.",
      });
    expect(await bodyOf(test.api.patch(at('X3'), {}))).toEqual(await bodyOf(test.api.get(at('X3'))));
  });
});

describe('Deleting a phase', () => {
  it('is rejected with 403 for a built-in phase', async () => {
    await changesNothing(test, () => bodyOf(test.api.delete(at('X3')), 403));
  });

  it('reports which countermeasures use the phase, and succeeds once none do', async () => {
    const { id } = await makePhase();
    const { id: own } = await makeCountermeasure(test.api, { phase: id, active: false });
    await bodyOf(test.api.patch('/library/tasks/T9/', { phase: id }));
    expect(await changesNothing(test, () => bodyOf(test.api.delete(at(id)), 400))).toEqual({
      non_field_errors: [`This phase is in use by 2 countermeasures (T9, ${own}). Assign them another one first.`],
    });
    await bodyOf(test.api.delete('/library/tasks/T9/'), 204);
    await bodyOf(test.api.patch(`/library/tasks/${own}/`, { phase: 'X1' }));
    await bodyOf(test.api.delete(at(id)), 204);
    await bodyOf(test.api.get(at(id)), 404);
  });

  it('is rejected while a risk policy filters by the phase', async () => {
    const { id } = await makePhase();
    const policy = { name: unique('Policy'), filters: { phases: [id] }, conditions: { statuses: [] } };
    const created = await bodyOf(test.api.post<{ id: number }>('/risk-policies/', policy), 201);
    expect(await changesNothing(test, () => bodyOf(test.api.delete(at(id)), 400))).toEqual({
      non_field_errors: [
        `This phase is in use by 1 risk-policy filter (${policy.name}). Assign them another one first.`,
      ],
    });
    await bodyOf(test.api.patch(`/risk-policies/${created.id}/`, { filters: { phases: [] } }));
    await bodyOf(test.api.delete(at(id)), 204);
  });

  it('never leaves a countermeasure without a phase if the phase is assigned concurrently', async () => {
    const { id } = await makePhase();
    const { id: task } = await makeCountermeasure(test.api);
    const [removed, given] = await Promise.all([
      test.api.delete(at(id)),
      test.api.patch(`/library/tasks/${task}/`, { phase: id }),
    ]);
    expect([removed.status, given.status]).toEqual(removed.status === 204 ? [204, 400] : [400, 200]);
  });
});

describe('Phase activities', () => {
  it('record when a phase is created, changed, activated, deactivated and deleted', async () => {
    const name = unique('Told');
    const activities = await activitiesOf(test, async () => {
      const { id } = await makePhase({ name });
      await bodyOf(test.api.patch(at(id), {}));
      await bodyOf(test.api.patch(at(id), { tip: 'x' }));
      await bodyOf(test.api.patch(at(id), { active: false }));
      await bodyOf(test.api.patch(at(id), { active: true, tip: 'y' }));
      await bodyOf(test.api.delete(at(id)), 204);
    });
    expect(activities.map((activity) => activity.name)).toEqual([
      'CreatedPhaseActivity',
      'UpdatedPhaseActivity',
      'DeactivatedPhaseActivity',
      'UpdatedPhaseActivity',
      'ActivatedPhaseActivity',
      'DeletedPhaseActivity',
    ]);
    for (const { icon, data, log_level: level } of activities)
      expect([icon, level, data]).toEqual([
        'timeline',
        'user',
        { phase: expect.stringMatching(/^CX/), phase_desc: name },
      ]);
  });
});
