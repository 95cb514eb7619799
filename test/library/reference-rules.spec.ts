import {
  additionalRequirement,
  countermeasure,
  framework,
  howTo,
  validLibrary,
  weakness,
  withCountermeasure,
  withThreat,
} from '#test/support/valid-library.js';
import type { Library } from '#content/library/schema/library-schema.js';
import { checkLibrary } from './check-library.ts';
import { ASVS_REQUIREMENTS } from './reference-rules.ts';

const { references: _references, ...unreferenced } = countermeasure;
const { versions: _versions, ...unversioned } = howTo;
const { reviewed_at: _reviewed, ...unreviewed } = howTo;

const ssdf: Library['regulations'][0] = {
  id: 'REG2',
  name: 'NIST SSDF',
  slug: 'nist-ssdf',
  version: 'SP 800-218 1.1',
  url: 'https://example.org/',
  sections: [{ id: 'RS2', code: 'PW.1', title: 'Design', countermeasures: ['T1'] }],
};

describe('Reference rules', () => {
  it('know the 345 requirements of ASVS 5.0', () => {
    expect(ASVS_REQUIREMENTS.flat().reduce((sum, count) => sum + count)).toBe(345);
  });

  it.each([
    'asvs:5.0:1.2.10',
    'asvs:5.0:17.3.2',
    'nist:800-63B-4:3.1.1',
    'nist:800-218:PW.1',
    'rfc:9700',
    'masvs:2:MASVS-AUTH-2',
    'A list 1, 1.1',
  ])('accept the section %s of a standard', (reference) => {
    const library = { ...validLibrary, ...withCountermeasure({ references: ['cwe:307', reference] }) };
    expect(checkLibrary({ ...library, regulations: [...validLibrary.regulations, ssdf] })).toEqual([]);
  });

  it('accept entries of public catalogs by their ids and official names', () => {
    const atlas = {
      ...framework,
      id: 5,
      slug: 'mitre-atlas',
      name: 'MITRE ATLAS',
      entries: [{ id: 'AML.T0051', name: 'LLM Prompt Injection', url: 'https://example.org/', domain: '' }],
    };
    const references = ['CAPEC-600: Credential stuffing', 'MITRE ATLAS AML.T0051: LLM Prompt Injection'];
    const frameworks = [...validLibrary.frameworks, atlas];
    expect(checkLibrary({ ...validLibrary, frameworks, ...withThreat({ references }) })).toEqual([]);
  });

  it.each<[string, Partial<Library>, readonly string[]]>([
    [
      'a countermeasure without references',
      { countermeasures: [unreferenced] },
      ['T1 does not refer to a CWE', 'T1 does not refer to a section of a standard'],
    ],
    [
      'a countermeasure without a CWE',
      withCountermeasure({ references: ['rfc:9700:4.1'] }),
      ['T1 does not refer to a CWE'],
    ],
    [
      'a countermeasure with a CWE and documents, but no section',
      withCountermeasure({ references: ['cwe:307', 'Our handbook', 'owasp-cheatsheet:Logging_Cheat_Sheet'] }),
      ['T1 does not refer to a section of a standard'],
    ],
    [
      'ASVS requirements that do not exist',
      withCountermeasure({ references: ['cwe:307', 'asvs:5.0:1.2.11', 'asvs:5.0:18.1.1', 'asvs:5.0:1.6.1'] }),
      ['asvs:5.0:1.2.11', 'asvs:5.0:18.1.1', 'asvs:5.0:1.6.1'].map(
        (reference) => `T1 refers to ${reference}, which does not exist`,
      ),
    ],
    [
      'a section that is not in the regulation',
      { weaknesses: [{ ...weakness, references: ['A list 1, 1.2'] }] },
      ['P1 refers to A list 1, 1.2, which does not exist'],
    ],
    [
      'a section of a regulation whose name ends with its version',
      {
        regulations: [...validLibrary.regulations, { ...ssdf, slug: 'list-2025', name: 'List 2025', version: '2025' }],
        ...withCountermeasure({ references: ['cwe:307', 'List 2025, PW.1', 'List 2025, PW.2'] }),
      },
      ['T1 refers to List 2025, PW.2, which does not exist'],
    ],
    [
      'a practice that is not in the library',
      {
        regulations: [...validLibrary.regulations, ssdf],
        ...withCountermeasure({ references: ['cwe:307', 'nist:800-218:PW.10'] }),
      },
      ['T1 refers to nist:800-218:PW.10, which does not exist'],
    ],
    [
      'an attack pattern without its official name',
      withThreat({ references: ['CAPEC-600: Credential Stuffing of accounts'] }),
      ['TH1 refers to CAPEC-600: Credential Stuffing of accounts, which does not exist'],
    ],
    [
      'a technique that is not in its framework',
      withThreat({ references: ['MITRE ATLAS AML.T9999: Anything'] }),
      ['TH1 refers to MITRE ATLAS AML.T9999: Anything, which does not exist'],
    ],
    [
      'texts without references',
      {
        weaknesses: [{ ...weakness, references: [] }],
        additionalRequirements: [{ ...additionalRequirement, references: [] }],
        ...withThreat({ references: [] }),
      },
      ['P1 has no references', 'TA1 has no references', 'TH1 has no references'],
    ],
    [
      'a review in the future',
      withCountermeasure({ reviewed_at: '2999-01-01' }),
      ['T1 was reviewed on 2999-01-01, which is in the future'],
    ],
    ['a how-to without versions', { howTos: [unversioned] }, ['I1 does not state product versions']],
    ['a how-to without a review date', { howTos: [unreviewed] }, ['I1 does not state when it was reviewed']],
  ])('report %s', (_case, change, problems) => {
    expect(checkLibrary({ ...validLibrary, ...change })).toEqual(problems);
  });
});
