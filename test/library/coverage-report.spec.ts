import { regulation, validLibrary } from '#test/support/valid-library.js';
import { coverageReport } from './coverage-report.ts';

const mapping = { countermeasure: 'T1', why: 'It satisfies the section.' };

describe('The report on coverage', () => {
  it('counts full mappings and complete partial ones for each level, and names the sections that are open', () => {
    const section = { title: 'Sign-in', countermeasures: [] };
    const regulations = [
      {
        ...regulation,
        name: 'A list',
        version: '1',
        sections: [
          { ...section, id: 'RS1', code: '1', from_requirements: true },
          { ...section, id: 'RS2', code: '1.1', level: 1 },
          { ...section, id: 'RS3', code: '1.2', level: 1, partial_mappings_complete: true },
          { ...section, id: 'RS4', code: '1.3', level: 2 },
        ],
        mappings: [
          { ...mapping, section: '1.1', strength: 'full' as const },
          { ...mapping, section: '1.2', strength: 'partial' as const },
          { ...mapping, section: '1.3', strength: 'partial' as const },
        ],
      },
    ];
    expect(coverageReport({ ...validLibrary, regulations })).toEqual([
      'A list 1, level 1: 2 of 2 sections covered',
      'A list 1, level 2: 2 of 3 sections covered; open: 1.3',
    ]);
  });
});
