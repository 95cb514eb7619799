import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Catalog, type CatalogKind, BrokenCatalog } from './catalog.js';
import { parseCatalog, readCatalog } from './read-catalog.js';

const CWE_XML = `<?xml version="1.0" encoding="UTF-8"?>
<Weakness_Catalog Name="CWE" Version="4.99" xmlns="http://cwe.mitre.org/cwe-7">
  <Weaknesses>
    <Weakness ID="79" Name="Script in a page" Abstraction="Base" Structure="Simple" Status="Stable">
      <Related_Weaknesses>
        <Related_Weakness Nature="ChildOf" CWE_ID="74" View_ID="1000" Ordinal="Primary"/>
        <Related_Weakness Nature="ChildOf" CWE_ID="442" View_ID="699"/>
        <Related_Weakness Nature="PeerOf" CWE_ID="352" View_ID="1000"/>
      </Related_Weaknesses>
    </Weakness>
    <Weakness ID="9001" Name="Dust &amp; wear" Abstraction="Class" Structure="Simple" Status="Draft"/>
  </Weaknesses>
</Weakness_Catalog>`;
const CWE_JSON = JSON.stringify({
  Version: '4.99',
  Weaknesses: [
    {
      ID: '79',
      Name: 'Script in a page',
      Abstraction: 'Base',
      Status: 'Stable',
      RelatedWeaknesses: [
        { Nature: 'ChildOf', CweID: '74', ViewID: '1000' },
        { Nature: 'ChildOf', CweID: '442', ViewID: '699' },
      ],
    },
    { ID: '9001', Name: 'Dust & wear', Abstraction: 'Class', Status: 'Draft' },
  ],
});
const bundle = (...objects: unknown[]): string => JSON.stringify({ type: 'bundle', id: 'bundle--1', objects });
const pattern = (more: object, id = 'CAPEC-9001'): object => ({
  type: 'attack-pattern',
  modified: '2026-01-02T00:00:00.000Z',
  name: 'Shaking the box',
  x_capec_abstraction: 'Standard',
  x_capec_version: '3.99',
  external_references: [
    { source_name: 'capec', external_id: id },
    { source_name: 'cwe', external_id: 'CWE-79' },
    { source_name: 'reference_from_CAPEC', external_id: 'REF-1' },
  ],
  ...more,
});
const technique = (id: string, more: object = {}): object => ({
  type: id.startsWith('TA') ? 'x-mitre-tactic' : 'attack-pattern',
  modified: '2026-01-02T00:00:00.000Z',
  name: `Technique ${id}`,
  external_references: [
    { source_name: 'mitre-attack', external_id: id, url: `https://attack.mitre.org/techniques/${id}` },
    { source_name: 'A paper', url: 'https://example.com/' },
  ],
  ...more,
});
const ASVS = JSON.stringify({
  requirements: [
    ['V1', 'Boxes', 'V1.1', 'Lids', 'V1.1.1', 'Verify that each lid closes.'],
    ['V1', 'Boxes', 'V1.1', 'Lids', 'V1.1.2', `Verify ${'again and '.repeat(100)}again.`],
  ].map(([chapter_id, chapter_name, section_id, section_name, req_id, req_description]) => ({
    chapter_id,
    chapter_name,
    section_id,
    section_name,
    req_id,
    req_description,
    L: '1',
  })),
});
const oscal = (title = 'Keep the boxes dry'): string =>
  JSON.stringify({
    catalog: {
      uuid: '1',
      metadata: { title: 'Rules for boxes', version: '7', parties: [{ name: 'NIST' }] },
      groups: [
        {
          id: 'bx',
          title: 'Boxes',
          controls: [
            {
              id: 'bx-1',
              title,
              props: [
                { name: 'label', value: 'BX-01', class: 'zero-padded' },
                { name: 'label', value: 'BX-1' },
              ],
              controls: [{ id: 'bx-1.1', title: 'And warm' }],
            },
          ],
        },
      ],
    },
  });

const parse = (kind: CatalogKind, text: string, file = 'catalog-5.0.json'): Catalog =>
  parseCatalog(kind, text, {}, file);

describe('A public catalog', () => {
  it.each([
    ['XML', CWE_XML],
    ['JSON', CWE_JSON],
  ])('for CWE is read from %s, with the parents of the research view', (_, text) => {
    expect(parse('cwe', text)).toEqual({
      kind: 'cwe',
      source: { name: 'CWE', version: '4.99', licence: 'CWE Terms of Use (The MITRE Corporation)' },
      cwes: [
        { id: 79, title: 'Script in a page', abstraction: 'Base', status: 'Stable', parents: [74] },
        { id: 9001, title: 'Dust & wear', abstraction: 'Class', status: 'Draft', parents: [] },
      ],
    });
  });

  it('for CAPEC is read from STIX, without deprecated patterns', () => {
    const text = bundle(
      { type: 'identity', name: 'Someone' },
      pattern({ x_capec_status: 'Stable', x_capec_typical_severity: 'High' }),
      pattern({ x_capec_status: 'Deprecated' }, 'CAPEC-9002'),
    );
    expect(parse('capec', text)).toMatchObject({
      source: { name: 'CAPEC', version: '3.99' },
      capecs: [{ id: 9001, title: 'Shaking the box', likelihood: null, severity: 'High', cwes: [79] }],
    });
  });

  it('for ATT&CK is read from STIX, without revoked and deprecated techniques', () => {
    const text = bundle(
      technique('TA9001', { type: 'x-mitre-tactic' }),
      technique('T9001.002'),
      technique('T9002', { revoked: true }),
      technique('T9003', { x_mitre_deprecated: true }),
      { type: 'x-mitre-collection', x_mitre_version: '19.0' },
    );
    expect(parse('attack', text)).toMatchObject({
      source: { version: '19.0' },
      entries: [{ id: 'T9001.002' }, { id: 'TA9001', name: 'Technique TA9001' }],
    });
  });

  it('for EMB3D is read from STIX, with the date of the latest change if it has no version', () => {
    const text = bundle({
      type: 'vulnerability',
      name: 'Opening the box',
      modified: '2026-03-04T00:00:00.000Z',
      external_references: [{ source_name: 'mitre-emb3d', external_id: 'TID-901' }],
    });
    expect(parse('emb3d', text)).toMatchObject({
      source: { version: '2026-03-04' },
      entries: [{ id: 'TID-901', name: 'Opening the box', url: 'https://emb3d.mitre.org/threats/TID-901.html' }],
    });
  });

  it('for ASVS is read with chapters and sections, and with long requirements shortened to a title', () => {
    const catalog = parse('asvs', ASVS, 'asvs-5.0.0-en.flat.json');
    expect(catalog).toMatchObject({
      source: { version: '5.0.0', licence: 'CC BY-SA 4.0 (OWASP Foundation)' },
      sections: [
        { code: 'V1', level: null },
        { code: 'V1.1', title: 'Lids', level: null },
        { code: 'V1.1.1', level: 1 },
        { code: 'V1.1.2' },
      ],
    });
    const { title } = ('sections' in catalog && catalog.sections[3]) || { title: '' };
    expect(title.length).toBeLessThanOrEqual(500);
    expect(title).toMatch(/ and…$|again…$/);
  });

  it('for OSCAL is read with the labels of its controls and their enhancements', () => {
    expect(parse('oscal', oscal())).toMatchObject({
      source: { name: 'Rules for boxes', version: '7', licence: 'Public domain (NIST)' },
      sections: [
        { code: 'BX-1', title: 'Keep the boxes dry' },
        { code: 'bx-1.1', title: 'And warm' },
      ],
    });
  });

  it.each<[string, CatalogKind, string, RegExp]>([
    ['truncated XML', 'cwe', CWE_XML.slice(0, 400), /not well-formed XML/],
    ['XML that declares entities', 'cwe', CWE_XML.replace('?>', '?><!DOCTYPE x [<!ENTITY a "b">]>'), /document type/],
    ['XML with another root element', 'cwe', '<html></html>', /begins with <html>/],
    ['a CWE without a number', 'cwe', CWE_XML.replace('ID="79"', 'ID="x"'), /"x" is not a CWE number/],
    ['a CWE without a name', 'cwe', CWE_XML.replace('Name="Script in a page"', ''), /has no Name/],
    ['a duplicate CWE', 'cwe', CWE_XML.replace('9001', '79'), /CWE 79 occurs twice/],
    ['truncated JSON', 'capec', bundle(pattern({})).slice(0, -5), /not JSON/],
    ['JSON that is not a bundle', 'attack', '{"objects": []}', /not a STIX bundle/],
    ['an empty bundle', 'attack', bundle(), /contains no entries/],
    ['a name that is a number', 'capec', bundle(pattern({ name: 5 })), /\$\.objects\[0\]\.name is not a string/],
    [
      'a number instead of a list',
      'capec',
      bundle(pattern({ external_references: 5 })),
      /external_references is not a list/,
    ],
    ['an invalid id', 'capec', bundle(pattern({}, 'CAPEC-x')), /external_id is not a positive whole number/],
    ['a list instead of an object', 'asvs', '[]', /\$ is not an object/],
    ['no requirements', 'asvs', '{}', /contains no requirements/],
    ['two controls with the same label', 'oscal', oscal().replace('bx-1.1', 'BX-1'), /Control BX-1 occurs twice/],
    ['a NUL character', 'oscal', oscal('a\0b'), /title is not text/],
  ])('is rejected with a clear error if the file is or has %s', (_, kind, text, message) => {
    expect(() => parse(kind, text)).toThrow(BrokenCatalog);
    expect(() => parse(kind, text)).toThrow(message);
  });

  it('is rejected without a version, unless the caller gives one', () => {
    expect(() => parse('asvs', ASVS, 'asvs.json')).toThrow(/--version/);
    expect(parseCatalog('asvs', ASVS, { version: '5' }, 'asvs.json').source.version).toBe('5');
  });

  it('is rejected if the file is not UTF-8', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'merlon-catalog-'));
    try {
      const file = path.join(folder, 'cwe.xml');
      await writeFile(file, Buffer.from([0xff, 0xfe, 0x3c, 0x00]));
      await expect(readCatalog('cwe', file, {})).rejects.toThrow('The file is not UTF-8.');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
