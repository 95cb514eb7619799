import { useDomain } from '#test/support/domain.js';
import { createCountermeasures, updateCountermeasures, writeCountermeasures } from './countermeasure.commands.js';

const domain = useDomain();

const input = (title: string) => ({ title, text: 'Several at once.', problem: 'P1', priority: 5, phase: 'X3' });

const told = async (ids: readonly string[]): Promise<string[]> => {
  const rows = await domain.database.query<{ told: string }>(
    `SELECT name || ' ' || (data->>'standard') AS told FROM activity
     WHERE organization_id = $1 AND data->>'standard' = ANY($2) ORDER BY id`,
    [domain.actor.organizationId, ids],
  );
  return rows.map((row) => row.told);
};

describe('Batch commands for countermeasures', () => {
  it('create all countermeasures and record an activity for each, in row order', async () => {
    const ids = await domain.run((em, actor) =>
      createCountermeasures(em, actor, [
        { ...input('First'), tags: [' a ', 'a'], match_conditions: [{ required: [] }] },
        { ...input('Second'), active: false },
        input('Third'),
      ]),
    );
    const rows = await domain.database.query(
      `SELECT v.item_id, v.title, v.tags, v.active, v.revision, (
         SELECT count(*)::integer FROM match_condition m WHERE m.countermeasure_version_id = v.id) AS conditions
       FROM countermeasure_version v WHERE v.organization_id = $1 AND v.item_id = ANY($2) ORDER BY v.number`,
      [domain.actor.organizationId, ids],
    );
    expect(rows).toEqual([
      { item_id: ids[0], title: 'First', tags: ['a'], active: true, revision: 1, conditions: 1 },
      { item_id: ids[1], title: 'Second', tags: [], active: false, revision: 1, conditions: 0 },
      { item_id: ids[2], title: 'Third', tags: [], active: true, revision: 1, conditions: 0 },
    ]);
    expect(await told(ids)).toEqual(ids.map((id) => `CreatedStandardActivity ${id}`));
  });

  it('change different fields of each countermeasure, and customize built-in ones', async () => {
    const [own = ''] = await domain.run((em, actor) => createCountermeasures(em, actor, [input('To be changed')]));
    await domain.run((em, actor) =>
      updateCountermeasures(em, actor, [
        { id: 'T21', changes: { priority: 9, active: false } },
        { id: own, changes: { title: 'Changed', phase: 'X2' } },
      ]),
    );
    await domain.run((em, actor) =>
      updateCountermeasures(em, actor, [{ id: own, changes: { priority: 2, title: 'B' } }]),
    );
    const rows = await domain.database.query(
      `SELECT item_id, priority, active, changed_fields FROM countermeasure_version
       WHERE organization_id = $1 AND item_id = ANY($2) ORDER BY is_custom`,
      [domain.actor.organizationId, [own, 'T21']],
    );
    expect(rows).toEqual([
      { item_id: 'T21', priority: 9, active: false, changed_fields: ['priority', 'active'] },
      { item_id: own, priority: 2, active: true, changed_fields: ['title', 'phase', 'priority'] },
    ]);
    expect(await told(['T21'])).toEqual(['UpdatedStandardActivity T21', 'DeactivatedStandardActivity T21']);
  });

  it('report the errors of every row, and write nothing if one is rejected', async () => {
    const rejected = await domain.rejection((em, actor) =>
      writeCountermeasures(em, actor, [
        { input: input('Sound') },
        { input: { ...input('Of nothing'), problem: 'P99999', phase: 'X99999' } },
        { id: 'CT99999', changes: { title: 'Unknown' } },
        { id: 'T21', changes: { match_conditions: [{ required: ['A99999'] }] } },
      ]),
    );
    expect(rejected).toEqual([
      undefined,
      { problem: ['"P99999" does not exist.'], phase: ['"X99999" does not exist.'] },
      'Not found.',
      { match_conditions: [{ required: ['"A99999" does not exist.'] }] },
    ]);
    expect(await domain.database.query("SELECT 1 FROM countermeasure_version WHERE title = 'Sound'")).toEqual([]);
  });
});
