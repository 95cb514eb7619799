import { countermeasure, cwe, howTo, regulation, validLibrary } from '#test/support/valid-library.js';
import { completedByPartsOf, mappingsOf } from '#content/library/schema/library-parts.js';
import type { Library } from '#content/library/schema/library-schema.js';
import { checkLibrary } from './check-library.ts';

type Mapping = NonNullable<Library['regulations'][number]['mappings']>[number];

const why = 'Doing it satisfies the section.';
const mapping: Mapping = { section: '1.1', countermeasure: 'T1', strength: 'partial', why };
const section = { id: 'RS1', code: '1.1', title: 'Sign-in' };

/** The sound library with other mappings of its only section. */
const mapped = (mappings: readonly Partial<Mapping>[], complete = false): Library['regulations'] => [
  {
    ...regulation,
    sections: [{ ...section, countermeasures: [], partial_mappings_complete: complete }],
    mappings: mappings.map((change) => ({ ...mapping, ...change })),
  },
];

const whole = { id: 'RS2', code: '1', title: 'Accounts', from_requirements: true };

/** The same, with a section that takes its mappings from the requirement 1.1. */
const summedUp = (mappings: readonly Mapping[]): Library['regulations'] => [
  { ...regulation, sections: [whole, section, { id: 'RS3', code: '10.1', title: 'Elsewhere' }], mappings },
];

/** A section for CWE-77, partially satisfied by a countermeasure against CWE-307, whose parents are given. */
const cweMapped = (parents: readonly number[]): Partial<Library> => ({
  cwes: [
    { ...cwe, parents },
    { ...cwe, id: 77, title: 'Command injection' },
  ],
  regulations: [
    {
      ...regulation,
      sections: [{ ...section, code: 'CWE-77', title: 'Command injection', countermeasures: [] }],
      mappings: [{ ...mapping, section: 'CWE-77' }],
    },
  ],
});

describe('Rules for references and mappings', () => {
  it('accept references that exist and mappings with a reason', () => {
    expect(
      checkLibrary({
        ...validLibrary,
        countermeasures: [{ ...countermeasure, references: ['cwe:307', 'asvs:5.0:6.3.2'] }],
        regulations: mapped([{ strength: 'full' }]),
      }),
    ).toEqual([]);
  });

  it('give a section the mappings of its requirements, with full ones as partial', () => {
    const second: Mapping = { ...mapping, countermeasure: 'T2', strength: 'supports' };
    const mappings: Mapping[] = [{ ...mapping, strength: 'full' }, second, { ...mapping, section: '10.1' }];
    const [summed] = summedUp(mappings);
    expect(summed && mappingsOf(summed).filter((found) => found.section === 'RS2')).toEqual([
      { ...mapping, section: 'RS2' },
      { ...second, section: 'RS2' },
    ]);
  });

  it('satisfy a section once all of its requirements are satisfied', () => {
    const [open] = summedUp([mapping]);
    const [done] = summedUp([{ ...mapping, strength: 'full' }]);
    expect([open, done].map((found) => found && [...completedByPartsOf(found)])).toEqual([[], ['RS2']]);
  });

  it.each<[string, Partial<Library>, string]>([
    [
      'a section that takes mappings from requirements but has none',
      { regulations: [{ ...regulation, sections: [section, { ...whole, code: '2' }] }] },
      'RS2 has no requirements to take mappings from',
    ],
    [
      'a section with its own mappings in addition to those of its requirements',
      { regulations: summedUp([{ ...mapping, section: '1' }]) },
      'RS2 has its own mappings in addition to those of its requirements',
    ],
    [
      'a CWE id that is not in the list',
      { howTos: [{ ...howTo, references: ['cwe:999'] }] },
      'I1 refers to cwe:999, which is not in the CWE list',
    ],
    [
      'a single partial mapping that is marked as complete',
      { regulations: mapped([{}], true) },
      'RS1 claims that its partial mappings are complete, and has fewer than two',
    ],
    [
      'a section of the CWE Top 25 without the official title',
      {
        regulations: [
          { ...regulation, sections: [{ ...section, code: 'CWE-307', title: 'Guessing', countermeasures: [] }] },
        ],
      },
      'RS1 does not have the official title of CWE-307',
    ],
    [
      'a mapping of a CWE that is no kind of those that its countermeasure refers to',
      cweMapped([]),
      'The mapping CWE-77–T1 is more than evidence, and T1 refers to no related CWE',
    ],
    [
      'a cheat sheet that OWASP has not published',
      { howTos: [{ ...howTo, references: ['owasp-cheatsheet:Guessing_Cheat_Sheet'] }] },
      'I1 refers to owasp-cheatsheet:Guessing_Cheat_Sheet, which is not in the list of cheat sheets',
    ],
    [
      'a mapping without a reason',
      { regulations: mapped([{ why: 'Obvious.' }]) },
      'The mapping 1.1–T1 does not give its reason',
    ],
    [
      'a mapping of a section that does not exist',
      { regulations: mapped([{ section: '9.9' }]) },
      'REG1 refers to section 9.9, which does not exist',
    ],
    [
      'a mapping of a countermeasure that does not exist',
      { regulations: mapped([{ countermeasure: 'T9' }]) },
      'RS1 refers to countermeasure T9, which does not exist',
    ],
    ['a duplicate mapping', { regulations: mapped([{}, {}]) }, 'mapping RS1–T1 is defined more than once'],
  ])('report %s', (_case, change, problem) => {
    expect(checkLibrary({ ...validLibrary, ...change })).toEqual([problem]);
  });

  it('accept a mapping of a CWE to a countermeasure against a kind of it', () => {
    expect(checkLibrary({ ...validLibrary, ...cweMapped([77]) })).toEqual([]);
  });

  it.each<[number, string[]]>([
    [4, []],
    [5, [`5 mappings share the reason "${why}"; at most 4 may share one`]],
  ])('allow at most 4 mappings to share a reason: %i', (count, problems) => {
    const codes = Array.from({ length: count }, (_, index) => `1.${index + 1}`);
    const shared = {
      ...regulation,
      sections: codes.map((code, index) => ({ ...section, id: `RS${index + 1}`, code, title: `Sign-in ${code}` })),
      mappings: codes.map((code) => ({ ...mapping, section: code })),
    };
    expect(checkLibrary({ ...validLibrary, regulations: [shared] })).toEqual(problems);
  });
});
