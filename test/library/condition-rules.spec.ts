import { checkLibrary } from './check-library.ts';
import type { Library } from '#content/library/schema/library-schema.js';
import { answer, countermeasure, question, validLibrary, survey, weakness } from '#test/support/valid-library.js';

const needing = (...required: string[]) => [{ id: 'MC9', required, excluded: [] }];

describe('Match condition rules', () => {
  it.each<[string, Partial<Library>, string]>([
    [
      'a countermeasure whose weakness does not apply',
      { countermeasures: [countermeasure, { ...countermeasure, id: 'T2', match_conditions: needing('A2') }] },
      'MC9 of T2 holds where weakness P1 does not apply',
    ],
    [
      'a weakness without any applicable countermeasure',
      { weaknesses: [{ ...weakness, match_conditions: [...weakness.match_conditions, ...needing('A2')] }] },
      'MC9 of P1 adds none of its countermeasures',
    ],
    [
      'a countermeasure that some answers bring in without its weakness',
      {
        sections: survey([
          question,
          { ...question, id: 'Q2', depends_on: ['A1', 'A2'], answers: [answer('A3')], subquestions: [] },
        ]),
        countermeasures: [{ ...countermeasure, match_conditions: needing('A3') }],
      },
      'MC9 of T1 holds where weakness P1 does not apply',
    ],
    [
      'a countermeasure that a habit of delivery adds without a cause',
      { countermeasures: [{ ...countermeasure, match_conditions: needing('A88') }] },
      'MC9 of T1 requires a habit of delivery without stating the cause (because)',
    ],
  ])('report %s', (_case, change, sentence) => {
    expect(checkLibrary({ ...validLibrary, ...change })).toContain(sentence);
  });

  it('accept a habit of delivery whose condition states the cause', () => {
    const because = 'The team operates the log store.';
    const countermeasures = [
      { ...countermeasure, match_conditions: [{ id: 'MC9', required: ['A88'], excluded: [], because }] },
    ];
    expect(checkLibrary({ ...validLibrary, countermeasures }).filter((sentence) => sentence.includes('habit'))).toEqual(
      [],
    );
  });

  it('assume that an answer requires an answer that leads to its question', () => {
    const change: Partial<Library> = {
      sections: survey([
        question,
        { ...question, id: 'Q2', depends_on: ['A1'], answers: [answer('A3')], subquestions: [] },
      ]),
      countermeasures: [
        { ...countermeasure, match_conditions: [...countermeasure.match_conditions, ...needing('A3')] },
      ],
    };
    expect(checkLibrary({ ...validLibrary, ...change }).filter((sentence) => sentence.startsWith('MC9'))).toEqual([]);
  });
});
