import { jsonArchive, useRoundTrips } from '#test/support/round-trips.js';
import type { TestOrganization } from '#test/support/api.js';

const { test, imported } = useRoundTrips();

/** The ancestors of an organization's attributes, from the root down, by attribute. */
async function treeOf({ id }: TestOrganization): Promise<Record<string, string[]>> {
  const rows = await test.database.query<{ id: string; ancestors: string[] }>(
    `SELECT a.item_id AS id, array(SELECT above.item_id FROM unnest(a.ancestors) WITH ORDINALITY step(id, level)
       JOIN attribute above ON above.id = step.id ORDER BY step.level) AS ancestors
     FROM attribute a WHERE a.organization_id = $1 ORDER BY a.number`,
    [id],
  );
  return Object.fromEntries(rows.map(({ id: attribute, ancestors }) => [attribute, ancestors]));
}

describe('An import of attributes', () => {
  const row = (id: string, parent?: string | null) => ({ id, name: `Attribute ${id}`, parent });
  const importAttributes = async (to: TestOrganization, ...attribute: object[]) =>
    imported(to, await jsonArchive({ attribute }));

  it('gives each all its ancestors, in whatever order the rows are', async () => {
    const [one, other] = [await test.newOrganization(), await test.newOrganization()];
    const chain = [row('CAT4', 'CAT3'), row('CAT2', 'CAT1'), row('CAT1', null), row('CAT3', 'CAT2')];
    for (const organization of [one, other]) await importAttributes(organization, ...chain);
    const tree = { CAT1: [], CAT2: ['CAT1'], CAT3: ['CAT1', 'CAT2'], CAT4: ['CAT1', 'CAT2', 'CAT3'] };
    expect(await treeOf(one)).toEqual(tree);
    // Descendants follow an attribute that moves, and need no rows.
    await importAttributes(one, row('CAT5', null), { id: 'CAT3', parent: 'CAT5' });
    expect(await treeOf(one)).toEqual({ ...tree, CAT3: ['CAT5'], CAT4: ['CAT5', 'CAT3'], CAT5: [] });
    await importAttributes(one, { id: 'CAT3', parent: null });
    expect(await treeOf(one)).toEqual({ ...tree, CAT3: [], CAT4: ['CAT3'], CAT5: [] });
    await importAttributes(one, { id: 'CAT1', parent: 'CAT4' }, { id: 'CAT5', parent: 'CAT2' });
    expect(await treeOf(one)).toEqual({
      CAT1: ['CAT3', 'CAT4'],
      CAT2: ['CAT3', 'CAT4', 'CAT1'],
      CAT3: [],
      CAT4: ['CAT3'],
      CAT5: ['CAT3', 'CAT4', 'CAT1', 'CAT2'],
    });
    expect(await treeOf(other)).toEqual(tree);
  });

  it('gives each all its ancestors across batches of rows, below a built-in attribute', async () => {
    const one = await test.newOrganization();
    const [root] = await test.database.query<{ id: string; depth: number }>(
      'SELECT item_id AS id, depth FROM attribute WHERE organization_id IS NULL ORDER BY depth DESC, number LIMIT 1',
    );
    const [{ ancestors } = { ancestors: [] }] = await test.database.query<{ ancestors: string[] }>(
      `SELECT array(SELECT above.item_id FROM unnest(a.ancestors) WITH ORDINALITY step(id, level)
         JOIN attribute above ON above.id = step.id ORDER BY step.level) AS ancestors
       FROM attribute a WHERE a.item_id = $1`,
      [root?.id],
    );
    const leaves = Array.from({ length: 600 }, (_, n) => row(`CAT${n + 2}`, 'CAT1'));
    await importAttributes(one, ...leaves, row('CAT1', root?.id));
    const tree = await treeOf(one);
    expect(tree['CAT1']).toEqual([...ancestors, root?.id]);
    expect(new Set(leaves.map(({ id }) => tree[id]?.join(' ')))).toEqual(
      new Set([[...ancestors, root?.id, 'CAT1'].join(' ')]),
    );
  });
});

describe('An import that deactivates weaknesses', () => {
  it('deactivates the countermeasures of each for its organization, built-in and custom ones', async () => {
    const [one, other] = [await test.newOrganization(), await test.newOrganization()];
    const body = { text: 'So.', priority: 5, phase: 'X3' };
    const content = {
      weakness: [{ id: 'CP1', title: 'Ours', text: 'Wrong.', risk_rating: 5 }],
      standard: [
        { ...body, id: 'CT1', title: 'Of ours', problem: 'CP1' },
        { ...body, id: 'CT2', title: 'Of a built-in one', problem: 'P1' },
        { ...body, id: 'CT3', title: 'Of another', problem: 'P3' },
      ],
    };
    for (const organization of [one, other]) await imported(organization, await jsonArchive(content));
    const activeOf = async ({ id }: TestOrganization) => {
      const rows = await test.database.query<{ weakness: string; active: boolean[] }>(
        `SELECT w.item_id AS weakness, array_agg(DISTINCT v.active) AS active
         FROM (SELECT DISTINCT ON (countermeasure_id) * FROM countermeasure_version
           WHERE organization_id = $1 OR organization_id IS NULL
           ORDER BY countermeasure_id, organization_id NULLS LAST) v
         JOIN weakness w ON w.id = v.weakness_id WHERE w.item_id IN ('CP1', 'P1', 'P2', 'P3') GROUP BY 1`,
        [id],
      );
      return Object.fromEntries(rows.map(({ weakness, active }) => [weakness, active.join(' ')]));
    };
    const before = await activeOf(one);
    expect(before).toEqual({ CP1: 'true', P1: 'true', P2: 'true', P3: 'true' });
    const changes = [
      { id: 'P1', active: false },
      { id: 'CP1', active: false, title: 'Renamed' },
      { id: 'P2', active: false },
    ];
    await imported(one, await jsonArchive({ weakness: changes }));
    expect(await activeOf(one)).toEqual({ CP1: 'false', P1: 'false', P2: 'false', P3: 'true' });
    expect(await activeOf(other)).toEqual(before);
  });
});
