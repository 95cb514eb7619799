import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { TestOrganization } from '#test/support/api.js';
import { useTestApi } from '#test/support/api.js';
import type { Upgrade } from '#test/support/library-upgrades.js';
import { loadRelease } from '#test/support/release.js';
import { activitiesOf, type ActivityRow, changesNothing } from '#test/support/records.js';
import { type ApiClient, bodyOf, rowsOf } from '#test/support/client.js';
import { makeWeakness } from '#test/support/factories.js';
import type { List } from '#test/support/resources.js';
import { defaultLibraryFolder } from '../schema/library-files.js';

const test = useTestApi();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'library-'));
  await cp(defaultLibraryFolder(), folder, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

interface Item {
  id: string;
  title: string;
  text?: string;
  description?: string;
  tags?: string[];
  active?: boolean;
  tasks_introduced?: string[];
  tasks_implemented?: string[];
  match_conditions?: { id: string; db_id: number; required: string[]; excluded: string[] }[];
}

/** One item of each kind that organizations change for themselves. */
const ITEMS = [
  {
    kind: 'weakness',
    id: 'P10',
    at: '/library/problems/P10/',
    file: 'weaknesses/access-control.yaml',
    noun: 'Weakness',
  },
  {
    kind: 'countermeasure',
    id: 'T1',
    at: '/library/tasks/T1/',
    file: 'countermeasures/authentication.yaml',
    noun: 'Standard',
  },
  {
    kind: 'additional_requirement',
    id: 'TA7',
    at: '/library/tasks/T1/amendments/TA7/',
    file: 'additional-requirements/authentication.yaml',
    noun: 'Amendment',
  },
  {
    kind: 'how_to',
    id: 'I1',
    at: '/library/tasks/T5/implementations/I1/',
    file: 'how-tos/java-spring.yaml',
    noun: 'HowTo',
  },
  { kind: 'threat', id: 'TH7', at: '/library/threats/TH7/', file: 'threats/access.yaml', noun: 'Threat' },
  {
    kind: 'component',
    id: 'SC1',
    at: '/library/components/SC1/',
    file: 'components/data-stores.yaml',
    noun: 'ReusableComponent',
  },
] as const;

/** Writes another form of one item into its file of the release to come. */
async function edit(file: string, id: string, change: (block: string) => string): Promise<void> {
  const where = path.join(folder, file);
  const blocks = (await readFile(where, 'utf8')).split(/^(?=- id: )/m);
  await writeFile(where, blocks.map((block) => (block.startsWith(`- id: ${id}\n`) ? change(block) : block)).join(''));
}

const release = () => loadRelease(test.database, folder);

const upgradesOf = (api: ApiClient, query: Record<string, string> = {}): Promise<Upgrade[]> =>
  rowsOf(api.get<List<Upgrade>>('/library/upgrades/', query));

const read = (at: string, api: ApiClient = test.api): Promise<Item> => {
  const include = /components/.test(at)
    ? ''
    : at.endsWith('/library/tasks/T1/')
      ? 'match_conditions,tags'
      : 'match_conditions';
  return bodyOf(api.get<Item>(at, include ? { include } : {}));
};

const decide = (upgrade: Upgrade | undefined, resolution: string, api: ApiClient = test.api): Promise<Upgrade> =>
  bodyOf(api.patch<Upgrade>(`/library/upgrades/${upgrade?.id}/`, { resolution }));

/** What is open on a field of an item. */
const openOn = async (item: string, field: string, api: ApiClient = test.api): Promise<Upgrade | undefined> =>
  (await upgradesOf(api, { item, field, status: 'open' }))[0];

describe('A newer starter library', () => {
  let others: TestOrganization;
  let upgraded: ActivityRow[] = [];
  const before = new Map<string, Item>();

  beforeAll(async () => {
    others = await test.newOrganization();
    for (const { id, at } of ITEMS) {
      before.set(id, await read(at));
      await bodyOf(test.api.patch(at, { title: `Ours of ${id}` }));
    }
    for (const { id, file } of ITEMS)
      await edit(file, id, (block) =>
        block
          .replace(/title: .*/, `title: Theirs of ${id}`)
          .replace(/tags: \[.*\]/, 'tags: [newly-shipped]')
          .replace(/(text|description): \|\n/, '$1: |\n    Newly shipped.\n')
          .replace(/(id: MC\d+,?\s+required: )\[.*?\]/, '$1[A14]')
          .replace('tasks_introduced: [T127]', 'tasks_introduced: [T126]'),
      );
    upgraded = await activitiesOf(test, release);
  });

  it('is an activity of each organization, once', async () => {
    const of = upgraded.filter(({ name }) => name === 'UpgradedLibraryActivity');
    expect(of.map(({ organization_id: id }) => Number(id))).toEqual([test.organization.id, others.id]);
    expect(of[0]?.text).toMatch(/^\*Merlon\* upgraded the library to release \*[0-9a-f]{12}\*$/);
    expect(await activitiesOf(test, release)).toEqual([]);
  });

  describe.each(ITEMS)('with a customized $kind', ({ kind, id, at, noun }) => {
    it('updates fields that the organization has not changed, and keeps those that it has', async () => {
      const after = await read(at);
      expect(after.title).toBe(`Ours of ${id}`);
      expect(after.text ?? after.description).toMatch(/^Newly shipped\./);
      if (kind === 'component') expect(after.tasks_introduced).toEqual(['T126']);
      else
        expect(after.match_conditions?.[0]).toMatchObject({ required: ['A14'], db_id: expect.any(Number) as number });
      expect(after.match_conditions?.map((condition) => condition.id)).toEqual(
        before.get(id)?.match_conditions?.map((condition) => condition.id),
      );
      if (kind === 'countermeasure') expect(after.tags).toEqual(['newly-shipped']);
    });

    it('lists each changed field as an upgrade: open if both sides changed it, applied otherwise', async () => {
      const mine = await upgradesOf(test.api, { kind, item: id });
      const title = mine.find(({ field }) => field === 'title');
      expect(title).toMatchObject({ from: before.get(id)?.title, to: `Theirs of ${id}`, revision: 2, status: 'open' });
      expect(mine.filter(({ status }) => status === 'open')).toHaveLength(1);
      expect(mine.filter(({ status }) => status === 'applied').length).toBeGreaterThan(1);
      const theirs = await upgradesOf(others.api, { kind, item: id });
      expect(theirs.map(({ field }) => field)).toEqual(mine.map(({ field }) => field));
      expect(new Set(theirs.map(({ status }) => status))).toEqual(new Set(['applied']));
    });

    it('takes the built-in value on request and records an activity', async () => {
      const upgrade = await openOn(id, 'title');
      const activities = await activitiesOf(test, async () => {
        const decided = await decide(upgrade, 'take');
        expect(decided).toMatchObject({ status: 'taken', resolved_by: { id: test.organization.admin.id } });
        expect(decided.resolved).not.toBeNull();
      });
      expect(activities.map(({ name }) => name)).toEqual([`Updated${noun}Activity`]);
      const { title, match_conditions: conditions } = await read(at);
      expect(title).toBe(`Theirs of ${id}`);
      expect(conditions).toEqual((await read(at, others.api)).match_conditions);
    });
  });

  it('applies further changes of a taken field without asking', async () => {
    await edit('countermeasures/authentication.yaml', 'T1', (block) => block.replace(/title: .*/, 'title: Once more'));
    await release();
    expect((await read('/library/tasks/T1/')).title).toBe('Once more');
    expect(await openOn('T1', 'title')).toBeUndefined();
  });

  it('asks about match conditions and tags that both sides changed, and applies what is taken', async () => {
    const at = '/library/tasks/T1/';
    const [first] = (await read(at)).match_conditions ?? [];
    await bodyOf(test.api.patch(at, { tags: ['ours'], match_conditions: [{ ...first, required: ['A32'] }] }));
    await edit('countermeasures/authentication.yaml', 'T1', (block) =>
      block.replace(/tags: \[.*\]/, 'tags: [shipped-again]').replace(/(id: MC\d+,?\s+required: )\[.*?\]/, '$1[A17]'),
    );
    await release();
    expect(await read(at)).toMatchObject({ tags: ['ours'], match_conditions: [{ required: ['A32'] }] });
    await decide(await openOn('T1', 'tags'), 'keep');
    await decide(await openOn('T1', 'match_conditions'), 'take');
    const builtIn = await read(at, others.api);
    const mine = await read(at);
    expect(mine.tags).toEqual(['ours']);
    expect(mine.match_conditions).toEqual(builtIn.match_conditions);
    expect(mine.match_conditions?.[0]).toMatchObject({ required: ['A17'] });
  });

  it('updates references and review dates, and asks if both sides changed the references', async () => {
    const items = ITEMS.filter(({ kind }) => kind !== 'component');
    const restOn = async (reference: string, day: string) => {
      for (const { id, file } of items)
        await edit(file, id, (block) =>
          block
            .replace(/^ {2}(references|reviewed_at):.*\n(?: {4}- .*\n)*/gm, '')
            .replace(/^ {2}title: .*\n/m, `$&  references: ["${reference}"]\n  reviewed_at: "${day}"\n`),
        );
      await release();
    };
    const all = () => Promise.all(items.map(({ at }) => bodyOf(test.api.get(at, { include: 'references' }))));
    const same = (item: object) => items.map(() => expect.objectContaining(item) as unknown);

    await restOn('cwe:20', '2026-01-31');
    expect(await all()).toEqual(same({ references: ['cwe:20'], reviewed_at: '2026-01-31' }));
    for (const { at } of items) await bodyOf(test.api.patch(at, { references: ['Our handbook'] }));
    await restOn('cwe:21', '2026-02-28');
    expect(await all()).toEqual(same({ references: ['Our handbook'], reviewed_at: '2026-02-28' }));
    for (const { id } of items) {
      const upgrade = await openOn(id, 'references');
      expect(upgrade).toMatchObject({ from: ['cwe:20'], to: ['cwe:21'] });
      await decide(upgrade, 'take');
    }
    expect(await all()).toEqual(same({ references: ['cwe:21'] }));
  });

  it('asks again about a kept field when it changes, and supersedes older open upgrades', async () => {
    const again = async (tag: string): Promise<void> => {
      await edit('countermeasures/authentication.yaml', 'T1', (block) =>
        block.replace(/tags: \[.*\]/, `tags: [${tag}]`),
      );
      await release();
    };
    await again('third');
    const older = await openOn('T1', 'tags');
    await again('fourth');
    const statuses = (await upgradesOf(test.api, { item: 'T1', field: 'tags' })).map(({ status }) => status);
    expect(statuses).toEqual(['open', 'superseded', 'kept', 'applied']);
    expect(await openOn('T1', 'tags')).toMatchObject({ from: ['third'], to: ['fourth'] });
    expect(
      await changesNothing(test, () =>
        bodyOf(test.api.patch(`/library/upgrades/${older?.id}/`, { resolution: 'take' }), 400),
      ),
    ).toEqual({ status: [expect.stringContaining('superseded')] });
  });

  it('does not ask if both sides changed a field to the same value', async () => {
    await bodyOf(test.api.patch('/library/tasks/T2/', { priority: 3 }));
    await edit('countermeasures/authentication.yaml', 'T2', (block) => block.replace(/priority: \d+/, 'priority: 3'));
    await release();
    const [upgrade] = await upgradesOf(test.api, { item: 'T2', field: 'priority' });
    expect(upgrade).toMatchObject({ to: 3, status: 'applied' });
  });

  it('treats the two countermeasure lists of a component as one: taking one takes both', async () => {
    const at = '/library/components/SC1/';
    await bodyOf(test.api.patch(at, { tasks_implemented: ['T127'], tasks_introduced: ['T1'] }));
    await edit('components/data-stores.yaml', 'SC1', (block) =>
      block
        .replace('tasks_implemented: []', 'tasks_implemented: [T1]')
        .replace(/tasks_introduced: \[.*\]/, 'tasks_introduced: [T130]'),
    );
    await release();
    expect(await read(at)).toMatchObject({ tasks_implemented: ['T127'], tasks_introduced: ['T1'] });
    await decide(await openOn('SC1', 'tasks_introduced'), 'take');
    expect(await read(at)).toMatchObject({ tasks_implemented: ['T1'], tasks_introduced: ['T130'] });
    expect(await upgradesOf(test.api, { item: 'SC1', status: 'open' })).toEqual([]);
  });

  it('deactivates dropped items, and asks if the organization has changed their active state', async () => {
    const at = '/library/tasks/T5/implementations/I1/';
    await bodyOf(others.api.patch(at, { active: false }));
    await bodyOf(others.api.patch(at, { active: true }));
    await edit('how-tos/java-spring.yaml', 'I1', () => '');
    await release();
    expect((await read(at)).active).toBe(false);
    expect((await read(at, others.api)).active).toBe(true);
    const activities = await activitiesOf(test, async () => {
      await decide(await openOn('I1', 'active', others.api), 'take', others.api);
    });
    expect(activities.map(({ name }) => name)).toEqual(['DeactivatedHowToActivity']);
    expect((await read(at, others.api)).active).toBe(false);
  });

  it('rejects taking the title of a weakness if another weakness has it by then', async () => {
    const at = '/library/problems/P11/';
    await bodyOf(test.api.patch(at, { title: 'Ours of P11' }));
    await edit('weaknesses/access-control.yaml', 'P11', (block) => block.replace(/title: .*/, 'title: Claimed title'));
    await release();
    const other = await makeWeakness(test.api, { title: 'claimed TITLE' });
    const upgrade = await openOn('P11', 'title');
    const rejected = () => bodyOf(test.api.patch(`/library/upgrades/${upgrade?.id}/`, { resolution: 'take' }), 400);
    expect(await changesNothing(test, rejected)).toHaveProperty('title');
    expect(await openOn('P11', 'title')).toEqual(upgrade);
    await bodyOf(test.api.delete(`/library/problems/${other.id}/`), 204);
  });

  it('closes the open upgrades of an item when the organization reverts it', async () => {
    await bodyOf(test.api.delete('/library/problems/P11/'), 204);
    const [upgrade] = await upgradesOf(test.api, { item: 'P11', field: 'title' });
    expect(upgrade?.status).toBe('applied');
    const answer = await bodyOf(test.api.patch(`/library/upgrades/${upgrade?.id}/`, { resolution: 'keep' }), 400);
    expect(answer).toEqual({ status: [expect.stringContaining('applied')] });
  });

  it('accepts only one decision on an upgrade, even if several are concurrent', async () => {
    await edit('threats/access.yaml', 'TH7', (block) => block.replace(/severity: \d+/, 'severity: 2'));
    await bodyOf(test.api.patch('/library/threats/TH7/', { severity: 5 }));
    await release();
    const upgrade = await openOn('TH7', 'severity');
    const at = `/library/upgrades/${upgrade?.id}/`;
    const answers = await Promise.all(['take', 'keep', 'take'].map((resolution) => test.api.patch(at, { resolution })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
  });
});
