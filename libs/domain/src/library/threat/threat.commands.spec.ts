import { useDomain } from '#test/support/domain.js';
import { createThreats, removeThreat, writeThreats } from './threat.commands.js';

const domain = useDomain();

const input = (title: string) => ({ title, text: 'What happens.', severity: 5 });
const missing = (id: string): string => `"${id}" does not exist.`;

describe('Batch commands for threats', () => {
  it('report every reference that does not exist, by row and field, and create nothing', async () => {
    const rejected = await domain.rejection((em, actor) =>
      createThreats(em, actor, [
        { ...input('Sound'), problems: ['P1', 'P1'], stride: ['S', 'S'], capecs: [600] },
        { ...input('Of nothing'), problems: ['P99999', 'P1', 'CP99999'], capecs: [600, 999_999] },
        { ...input('Of no entry'), stride: ['S', 'X'], mitre_attack: ['T0000'], maestro: ['L99'] },
      ]),
    );
    expect(rejected).toEqual([
      undefined,
      { problems: [missing('P99999'), missing('CP99999')], capecs: [missing('999999')] },
      { stride: [missing('X')], mitre_attack: [missing('T0000')], maestro: [missing('L99')] },
    ]);
  });

  it('accept a framework entry only in the field of its framework', async () => {
    const rejected = await domain.rejection((em, actor) =>
      createThreats(em, actor, [
        { ...input('Right'), stride: ['S'], mitre_attack: ['TA0006'] },
        { ...input('Mixed up'), stride: ['TA0006'], mitre_attack: ['S'] },
      ]),
    );
    expect(rejected).toEqual([undefined, { stride: [missing('TA0006')], mitre_attack: [missing('S')] }]);
  });

  it('store duplicate references only once', async () => {
    const [id = ''] = await domain.run((em, actor) =>
      createThreats(em, actor, [
        { ...input('Once'), problems: ['P1', 'P2', 'P1'], stride: ['S', 'E', 'S'], capecs: [600, 600] },
      ]),
    );
    const rows = await domain.database.query(
      `SELECT cardinality(problems) AS problems, stride, capecs::integer[] FROM threat_version
       WHERE organization_id = $1 AND item_id = $2`,
      [domain.actor.organizationId, id],
    );
    expect(rows).toEqual([{ problems: 2, stride: ['S', 'E'], capecs: [600] }]);
  });

  it('do not find threats of another organization, and cannot remove built-in ones', async () => {
    const [id = ''] = await domain.run((em, actor) => createThreats(em, actor, [input('Theirs')]));
    const other = await domain.newOrganization();
    const rejected = await domain.rejection(
      (em, actor) =>
        writeThreats(em, actor, [
          { id, changes: { title: 'Ours' } },
          { id: 'CTH99999', changes: { severity: 1 } },
          { input: { ...input('New'), problems: ['P99999'] } },
        ]),
      other,
    );
    expect(rejected).toEqual(['Not found.', 'Not found.', { problems: [missing('P99999')] }]);
    expect(await domain.rejection((em, actor) => removeThreat(em, actor, id), other)).toBe('Not found.');
    expect(await domain.rejection((em, actor) => removeThreat(em, actor, 'TH1'))).toMatch(/^Forbidden: /);
  });
});
