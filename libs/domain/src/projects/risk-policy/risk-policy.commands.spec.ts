import { useDomain } from '#test/support/domain.js';
import { createBusinessUnit } from '../business-unit/business-unit.commands.js';
import { createRiskPolicy, removeRiskPolicy, updateRiskPolicy } from './risk-policy.commands.js';

const domain = useDomain();

const missing = (id: string): string[] => [`"${id}" does not exist.`];

const make = (name: string, isDefault = false): Promise<string> =>
  domain.run((em, actor) => createRiskPolicy(em, actor, { name, is_org_default: isDefault }));

describe('A risk policy', () => {
  it('reports a taken name together with every reference that does not exist', async () => {
    const id = await make('Taken');
    const taken = ['A risk policy with this name already exists.'];
    const rejected = await domain.rejection((em, actor) =>
      createRiskPolicy(em, actor, {
        name: 'TAKEN',
        filters: { phases: ['X1', 'X99999', 'CX99999'] },
        conditions: { statuses: [{ task_status: 'TS1' }, { task_status: 'TS99999' }] },
      }),
    );
    expect(rejected).toEqual({
      name: taken,
      filters: { phases: [...missing('X99999'), ...missing('CX99999')] },
      conditions: { statuses: [{}, { task_status: missing('TS99999') }] },
    });
    const other = await make('Other');
    expect(await domain.rejection((em, actor) => updateRiskPolicy(em, actor, other, { name: 'taken' }))).toEqual({
      name: taken,
    });
    await domain.run((em, actor) => updateRiskPolicy(em, actor, id, { name: 'taken' }));
  });

  it('is the only default of its organization', async () => {
    const first = await make('First', true);
    const second = await make('Second', true);
    const defaults = async () =>
      (
        await domain.database.query<{ id: string }>(
          'SELECT id FROM risk_policy WHERE organization_id = $1 AND is_org_default',
          [domain.actor.organizationId],
        )
      ).map(({ id }) => id);
    expect(await defaults()).toEqual([second]);
    await domain.run((em, actor) => updateRiskPolicy(em, actor, first, { is_org_default: true }));
    expect(await defaults()).toEqual([first]);
  });

  it('cannot be removed while it is in use', async () => {
    const id = await make('In use');
    for (const name of ['Unit 1', 'Unit 2'])
      await domain.run((em, actor) => createBusinessUnit(em, actor, { name, default_risk_policy: Number(id) }));
    expect(await domain.rejection((em, actor) => removeRiskPolicy(em, actor, id))).toEqual({
      non_field_errors: [
        'The risk policy is in use: by 0 projects and 2 business units. Assign them another one first.',
      ],
    });
  });

  it('is not found by another organization', async () => {
    const id = await make('Theirs');
    const other = await domain.newOrganization();
    expect(await domain.rejection((em, actor) => updateRiskPolicy(em, actor, id, { name: 'x' }), other)).toBe(
      'Not found.',
    );
    expect(await domain.rejection((em, actor) => removeRiskPolicy(em, actor, id), other)).toBe('Not found.');
    for (const nobody of ['99999999', '99999999999999999', 'x', '0'])
      expect(await domain.rejection((em, actor) => removeRiskPolicy(em, actor, nobody))).toBe('Not found.');
  });
});
