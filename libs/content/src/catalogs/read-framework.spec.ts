import { BrokenCatalog, type CatalogKind } from './catalog.js';
import { parseCatalog } from './read-catalog.js';
import { parseSectionPairs } from './section-pairs.js';

const bundle = (...objects: unknown[]): string => JSON.stringify({ type: 'bundle', id: 'bundle--1', objects });

const technique = (object: string, more: object = {}): object => ({
  type: 'attack-pattern',
  id: `attack-pattern--${object}`,
  modified: '2026-01-02T00:00:00.000Z',
  name: 'Shaking',
  external_references: [{ source_name: 'mitre-attack', external_id: 'T9001' }],
  ...more,
});

const read = (kind: CatalogKind, text: string) => parseCatalog(kind, text, {}, 'bundle.json');

const ATLAS_YAML = `---
id: ATLAS
version: 5.9.0
matrices:
- id: ATLAS
  tactics:
  - {id: AML.TA9000, name: Reconnaissance, object-type: tactic}
  techniques:
  - id: AML.T9001
    name: Shaking the model
    tactics:
    - AML.TA9000
  - id: AML.T9001.001
    name: Gently
`;

describe('A STIX bundle', () => {
  it.each([
    ['first', ['2026-05-01', '2024-05-01']],
    ['last', ['2024-05-01', '2026-05-01']],
  ])('may contain several versions of an object, of which the latest counts: %s', (_, days) => {
    const versions = days.map((day) => technique('a', { modified: `${day}T00:00:00.000Z`, name: `Of ${day}` }));
    expect(read('attack', bundle(...versions))).toMatchObject({ entries: [{ id: 'T9001', name: 'Of 2026-05-01' }] });
  });

  it('does not contain an object whose latest version is revoked', () => {
    const revoked = technique('a', { modified: '2026-05-01T00:00:00.000Z', revoked: true });
    expect(() => read('attack', bundle(technique('a'), revoked))).toThrow(/contains no entries/);
  });

  it('is rejected if two objects have the same id of a framework, and the error names both', () => {
    const parse = () => read('attack', bundle(technique('a'), technique('b')));
    expect(parse).toThrow(BrokenCatalog);
    expect(parse).toThrow('MITRE ATT&CK T9001 is the id of two objects: attack-pattern--a and attack-pattern--b.');
  });

  it.each([
    ['Enterprise', 'mitre-attack'],
    ['Mobile', 'mitre-mobile-attack'],
    ['ICS', 'mitre-ics-attack'],
  ])('of ATT&CK belongs to the domain of most of its techniques: %s', (domain, chain) => {
    const phases = (name: string): object => ({ kill_chain_phases: [{ kill_chain_name: name, phase_name: 'impact' }] });
    const other = { external_references: [{ source_name: 'mitre-attack', external_id: 'T9002' }] };
    const both = { kill_chain_phases: ['mitre-attack', chain].map((name) => ({ kill_chain_name: name })) };
    expect(read('attack', bundle(technique('a', { ...both, ...other }), technique('b', phases(chain))))).toMatchObject({
      domain,
      source: { name: `MITRE ATT&CK ${domain}` },
    });
  });
});

describe('MITRE ATLAS', () => {
  it('is read from YAML', () => {
    expect(read('atlas', ATLAS_YAML)).toEqual({
      kind: 'atlas',
      framework: 'mitre-atlas',
      domain: '',
      source: { name: 'MITRE ATLAS', version: '5.9.0', licence: 'Apache License 2.0 (The MITRE Corporation)' },
      entries: [
        { id: 'AML.T9001', name: 'Shaking the model', url: 'https://atlas.mitre.org/techniques/AML.T9001' },
        { id: 'AML.T9001.001', name: 'Gently', url: 'https://atlas.mitre.org/techniques/AML.T9001.001' },
        { id: 'AML.TA9000', name: 'Reconnaissance', url: 'https://atlas.mitre.org/tactics/AML.TA9000' },
      ],
    });
  });

  it('is read from STIX', () => {
    const references = [{ source_name: 'mitre-atlas', external_id: 'AML.T9001' }];
    const text = bundle(technique('a', { external_references: references }), technique('b'));
    expect(read('atlas', text)).toMatchObject({ source: { version: '2026-01-02' }, entries: [{ id: 'AML.T9001' }] });
  });

  it.each([
    ['YAML that is not well-formed', 'a: [', /not valid YAML/],
    [
      'YAML with aliases that multiply',
      `a: &a [1]\nb: &b [${'*a,'.repeat(200)}]\nc: [${'*b,'.repeat(200)}]`,
      /not valid YAML/,
    ],
    ['another document', 'a: 1', /contains no entries/],
    ['a list', '- 1', /\$ is not an object/],
    ['a duplicate id', ATLAS_YAML.replace('AML.T9001.001', 'AML.T9001'), /is the id of two objects: \$\.matrices/],
    ['an id that is a number', ATLAS_YAML.replace('id: AML.T9001\n', 'id: 5\n'), /techniques\[0\]\.id is not a string/],
  ])('is rejected with a clear error if the file is or has %s', (_, text, message) => {
    expect(() => read('atlas', text)).toThrow(BrokenCatalog);
    expect(() => read('atlas', text)).toThrow(message);
  });
});

describe('A table of sections of two editions', () => {
  it('is read from CSV', () => {
    expect(parseSectionPairs('old,new\nV2.1.1,V6.2.1\nV2.1.1, V6.2.2 \n', 'table.csv')).toEqual([
      { from: 'V2.1.1', to: 'V6.2.1' },
      { from: 'V2.1.1', to: 'V6.2.2' },
    ]);
  });

  it("is read from OWASP's YAML, for requirements that were moved or split, not merged or covered by others", () => {
    const text = `---
v4.0.3-1.1.1:
  tag-v5.0.0: DELETED, NOT IN SCOPE
v4.0.3-1.2.4:
  tag-v5.0.0: MODIFIED, MOVED TO v5.0.0-6.1.3, SPLIT TO v5.0.0-6.3.3, v5.0.0-6.3.4
v4.0.3-1.5.3:
  tag-v5.0.0: MOVED TO v5.0.0-2.2.2
v4.0.3-1.6.2:
  tag-v5.0.0: DELETED, MERGED TO v5.0.0-13.3.1
v4.0.3-1.9.1:
  tag-v5.0.0: DELETED, COVERED BY v5.0.0-12.2.1, v5.0.0-12.3.1
`;
    expect(parseSectionPairs(text, 'mapping_v4.0.3_to_v5.0.0.yml')).toEqual([
      { from: 'V1.2.4', to: 'V6.1.3' },
      { from: 'V1.2.4', to: 'V6.3.3' },
      { from: 'V1.2.4', to: 'V6.3.4' },
      { from: 'V1.5.3', to: 'V2.2.2' },
    ]);
  });

  it.each([
    ['an empty file', '', 'table.csv', /contains no pairs/],
    ['other columns', 'a,b\n1,2', 'table.csv', /row 1\.old is not a string/],
    ['another YAML file', 'a: {b: c}', 'table.yml', /"a" is not a requirement of OWASP ASVS/],
    ['a YAML list', '[1]', 'table.yaml', /\$ is not an object/],
  ])('is rejected with a clear error if it is or has %s', (_, text, file, message) => {
    expect(() => parseSectionPairs(text, file)).toThrow(BrokenCatalog);
    expect(() => parseSectionPairs(text, file)).toThrow(message);
  });
});
