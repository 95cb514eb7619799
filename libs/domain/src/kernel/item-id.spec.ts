import { idShape, numberOf } from './item-id.js';

describe('The format of a public id', () => {
  it.each(['T1', 'CT1', 'T999999999', 'CT20'])('accepts %s', (id) => expect(id).toMatch(idShape('countermeasure')));
  it.each([
    '',
    'T',
    'T0',
    'T01',
    't1',
    'T1 ',
    'T1\n',
    ' T1',
    'T-1',
    'T1.0',
    'CCT1',
    'XT1',
    'TT1',
    'TA1',
    'T1000000000',
    'T١',
  ])('rejects "%s"', (id) => expect(id).not.toMatch(idShape('countermeasure')));

  it('distinguishes kinds with similar prefixes', () => {
    expect('TA1').toMatch(idShape('additional_requirement'));
    expect('SS1').not.toMatch(idShape('survey_section'));
    expect('S1').not.toMatch(idShape('survey_subsection'));
    expect('SQ1').not.toMatch(idShape('survey_section'));
  });
});

describe('The number of a public id', () => {
  it('follows its letters', () => {
    expect(['T1', 'CT12', 'CMC999999999'].map(numberOf)).toEqual([1, 12, 999_999_999]);
  });
});
