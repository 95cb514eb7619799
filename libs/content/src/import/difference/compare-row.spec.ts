import type { Actor } from '#domain/kernel/actor.js';
import type { RowValues } from '#files/cell-value.js';
import { describe as describeModel } from '../../models/models.js';
import { PLANS } from '../plans/plans.js';
import { compareRow, type Comparison } from './compare-row.js';

const actor: Actor = {
  id: 1,
  organizationId: 1,
  name: '',
  isSuperUser: true,
  permissions: new Set(),
  flags: new Set(),
};

/** Compares a row with a threat of the organization. */
function compared(row: RowValues, present: RowValues): Comparison {
  if (!PLANS.threat) throw new Error('There is no plan for threats.');
  return compareRow(actor, describeModel('threat'), PLANS.threat, row, present, false);
}

const UNCHANGED = { action: 'unchanged', changes: {}, errors: [] };

describe('A row of an import', () => {
  const title = 'x'.repeat(501);

  it('is unchanged if it has the values of its item, even those that their fields no longer accept', () => {
    const present = { title, severity: 11, problems: ['P'.repeat(101)], text: '' };
    expect(compared(present, present)).toEqual(UNCHANGED);
    expect(compared({ title: `${title}x` }, present)).toMatchObject({
      changes: {},
      errors: [{ field: 'title', details: 'Ensure this field has no more than 500 characters.' }],
    });
  });

  it('has an error if a value of another type would be normalized to the value of its item', () => {
    const present = { title: 'a', capecs: [5], problems: [], match_conditions: [], stride: ['S'] };
    expect(compared({ match_conditions: 'x', problems: null, capecs: ['5 '], stride: 'S' }, present).errors).toEqual([
      { field: 'capecs', details: 'A valid integer is required.' },
      { field: 'problems', details: 'This field may not be null.' },
      { field: 'stride', details: 'Expected a list of items but got type "string".' },
      { field: 'match_conditions', details: 'Expected a list of items but got type "string".' },
    ]);
  });

  it('is unchanged if only blanks or repeated entries differ', () => {
    const present = { problems: ['P1', 'P2'], references: ['cwe:79', 'rfc:9700:4.1'], capecs: [5, 6] };
    expect(
      compared(
        { problems: ['P1', 'P2', 'P1'], references: [' cwe:79', 'rfc:9700:4.1', 'cwe:79'], capecs: [5, 5, 6] },
        present,
      ),
    ).toEqual(UNCHANGED);
  });
});
