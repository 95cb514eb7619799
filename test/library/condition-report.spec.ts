import { answer, countermeasure, question, survey, validLibrary } from '#test/support/valid-library.js';
import { conditionReport } from './condition-report.ts';

describe('The report on match conditions', () => {
  it('names the answers and the cause of each condition', () => {
    const library = {
      ...validLibrary,
      sections: survey([
        {
          ...question,
          subquestions: [],
          answers: [
            { ...answer('A1'), display_text: 'XML' },
            { ...answer('A2'), display_text: 'SAML' },
          ],
        },
      ]),
      countermeasures: [
        {
          ...countermeasure,
          title: 'Prevent XXE',
          match_conditions: [
            { id: 'MC1', required: ['A1'], excluded: ['A2'], because: 'Documents are XML.' },
            { id: 'MC2', required: ['A1', 'A2'], excluded: [] },
          ],
        },
        { ...countermeasure, id: 'T2', title: 'Review code', match_conditions: [] },
      ],
    };
    expect(conditionReport(library)).toEqual([
      'T1 Prevent XXE',
      '  XML, without SAML: Documents are XML.',
      '  XML + SAML',
      'T2 Review code',
      '  always',
    ]);
  });
});
