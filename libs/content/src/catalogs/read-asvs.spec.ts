import { BrokenCatalog } from './catalog.js';
import { parseCatalog } from './read-catalog.js';

/** Two requirements on one lid, a deleted one, and a section that contains only a deleted one. */
const REQUIREMENTS: readonly [section: string, code: string, text: string, level: number | undefined][] = [
  ['V1.1', 'V1.1.1', 'Verify that each lid closes.', 2],
  ['V1.1', 'V1.1.2', 'Verify that "lids", if any, are dry.', 1],
  ['V1.1', 'V1.1.3', '[DELETED, MERGED TO 1.1.2]', undefined],
  ['V1.2', 'V1.2.1', '[DELETED, NOT ACTIONABLE]', undefined],
];

const EXPECTED = [
  { code: 'V1', title: 'Boxes', level: null },
  { code: 'V1.1', title: 'Lids', level: null },
  { code: 'V1.1.1', title: 'Verify that each lid closes.', level: 2 },
  { code: 'V1.1.2', title: 'Verify that "lids", if any, are dry.', level: 1 },
];

/** The rows of ASVS 4, which marks each level that requires a requirement. */
const rowsOfVersion4 = REQUIREMENTS.map(([section, code, text, level = 9]) => ({
  chapter_id: 'V1',
  chapter_name: 'Boxes',
  section_id: section,
  section_name: 'Lids',
  req_id: code,
  req_description: text,
  level1: level <= 1 ? '✓' : '',
  level2: level <= 2 ? '✓' : '',
  level3: level <= 3 ? '✓' : '',
}));
const rowsOfVersion5 = rowsOfVersion4.map(({ level1, level2, level3: _level3, ...row }) => ({
  ...row,
  L: level1 ? '1' : level2 ? '2' : '3',
}));

const csvOf = (rows: readonly Readonly<Record<string, string>>[]): string =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
    .join('\r\n');

const hierarchy = (levelsOf: (level: number) => object) =>
  JSON.stringify({
    Version: '5.0.0',
    Requirements: [
      {
        Shortcode: 'V1',
        ShortName: 'Boxes',
        Name: '',
        Items: ['V1.1', 'V1.2'].map((section) => ({
          Shortcode: section,
          Name: 'Lids',
          Items: REQUIREMENTS.filter(([within]) => within === section).map(([, code, text, level = 9]) => ({
            Shortcode: code,
            Description: text,
            ...levelsOf(level),
          })),
        })),
      },
    ],
  });

const cycloneDx = (place: string, name = 'Application Security Verification Standard (ASVS)') =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    [place]: {
      standards: [
        {
          name,
          version: '5.0.0',
          requirements: [
            { 'bom-ref': 'V1', identifier: 'V1', title: 'Boxes' },
            ...['V1.1', 'V1.2'].map((code) => ({ 'bom-ref': code, identifier: code, title: 'Lids', parent: 'V1' })),
            ...REQUIREMENTS.map(([parent, code, text]) => ({ 'bom-ref': code, identifier: code, text, parent })),
          ],
          levels: [1, 2, 3].map((level) => ({
            identifier: `Level ${level}`,
            requirements: REQUIREMENTS.flatMap(([, code, , lowest = 9]) => (lowest <= level ? [code] : [])),
          })),
        },
      ],
    },
  });

const required = (level: number): object =>
  Object.fromEntries([1, 2, 3].map((each) => [`L${each}`, { Required: level <= each, Requirement: '' }]));

describe('OWASP ASVS', () => {
  it.each([
    ['flat JSON of version 4', JSON.stringify({ requirements: rowsOfVersion4 })],
    ['flat JSON of version 5', JSON.stringify({ requirements: rowsOfVersion5 })],
    ['CSV of version 4', csvOf(rowsOfVersion4)],
    ['CSV of version 5', csvOf(rowsOfVersion5)],
    ['hierarchical JSON of version 4', hierarchy(required)],
    ['hierarchical JSON of version 5', hierarchy((level) => ({ L: String(Math.min(level, 3)) }))],
    ['CycloneDX', cycloneDx('definitions')],
    ['CycloneDX as OWASP publishes it', cycloneDx('declarations')],
  ])('is read from %s, with the lowest level of each requirement and without deleted ones', (_, text) => {
    expect(parseCatalog('asvs', text, {}, 'ASVS_5.0.0_en.txt')).toMatchObject({
      source: { name: 'OWASP ASVS', version: '5.0.0' },
      sections: EXPECTED,
    });
  });

  it('is read from the flat JSON of version 4.0, which has other names and no sections', () => {
    const requirements = REQUIREMENTS.map(([, code, text, level = 9]) => ({
      Section: 'V1',
      Name: '',
      Item: code,
      Description: text,
      ...Object.fromEntries([1, 2, 3].map((each) => [`L${each}`, level <= each ? 'X' : ''])),
      CWE: '',
      NIST: '',
    }));
    const text = JSON.stringify({ requirements });
    expect(parseCatalog('asvs', text, {}, 'Standard 4.0.3-en.flat.json')).toMatchObject({
      source: { name: 'OWASP ASVS', version: '4.0.3' },
      sections: [{ code: 'V1', title: 'V1', level: null }, ...EXPECTED.slice(2)],
    });
  });

  it('has chapters whose names OWASP left out', () => {
    const text = csvOf(rowsOfVersion4.map((row) => ({ ...row, chapter_name: '' })));
    expect(parseCatalog('asvs', text, {}, 'asvs-4.0.3.csv')).toMatchObject({
      sections: [{ code: 'V1', title: 'V1' }, {}, {}, {}],
    });
  });

  it.each([
    ['CSV with other columns', 'a,b\n1,2', /row 1\.req_description is not a string/],
    ['CSV with a row that has more cells', 'req_id,req_description\n1,2,3', /not valid CSV/],
    [
      'CycloneDX without the standard',
      cycloneDx('definitions', 'Another standard'),
      /does not contain the standard OWASP ASVS/,
    ],
    ['a bill of materials', '{"bomFormat": "CycloneDX", "components": []}', /does not contain the standard OWASP ASVS/],
    ['an unknown level', cycloneDx('definitions').replace('Level 3', 'Level 7'), /is not a level of OWASP ASVS/],
    ['requirements that are all deleted', csvOf(rowsOfVersion4.slice(2)), /contains no requirements/],
  ])('is rejected with a clear error if the file is or has %s', (_, text, message) => {
    const parse = () => parseCatalog('asvs', text, {}, 'asvs-5.0.0.csv');
    expect(parse).toThrow(BrokenCatalog);
    expect(parse).toThrow(message);
  });
});
