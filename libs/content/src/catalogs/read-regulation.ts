import { cleanLine } from '#domain/kernel/fields/field-checks.js';
import { LONGEST_LINE, LONGEST_TEXT } from '#domain/kernel/fields/text-limits.js';
import { type Catalog, checkFilled, checkUnique, type Section, type Stated, versionOf } from './catalog.js';
import { type Node, parseJson } from './json-document.js';

/** Makes a title of a text: removes line breaks, and cuts a long text at the end of a word. */
function titleOf(text: string): string {
  const line = cleanLine(text.replaceAll(/\s+/g, ' '));
  if (line.length <= LONGEST_LINE) return line;
  const cut = line.slice(0, LONGEST_LINE - 1);
  return `${cut.slice(0, cut.lastIndexOf(' '))}…`;
}

/** The version in a file's name: `asvs-5.0.0-en.flat.json`. */
const versionInName = (file: string): string | undefined => /(?<!\d)\d+(?:\.\d+)+/.exec(file)?.[0];

/**
 * Parses OWASP ASVS 5 in its flat JSON format: chapters, sections and requirements become sections of one regulation.
 *
 * @param text the whole file
 * @param file its name, which contains the version
 * @throws BrokenCatalog if it has another format
 */
export function readAsvs(text: string, stated: Stated, file: string): Catalog {
  const requirements = parseJson(text).at('requirements').list();
  const sections = new Map<string, Section>();
  const add = (code: string, title: string): unknown =>
    sections.has(code) || sections.set(code, { code, title: titleOf(title) });
  for (const requirement of requirements) {
    add(requirement.at('chapter_id').text(50), requirement.at('chapter_name').text());
    add(requirement.at('section_id').text(50), requirement.at('section_name').text());
    add(requirement.at('req_id').text(50), requirement.at('req_description').text(LONGEST_TEXT));
  }
  checkFilled('requirements', requirements);
  checkUnique(
    'Requirement',
    requirements.map((requirement) => requirement.at('req_id').text(50)),
  );
  return {
    kind: 'asvs',
    source: {
      name: 'OWASP ASVS',
      version: versionOf(stated, versionInName(file)),
      licence: stated.licence ?? 'CC BY-SA 4.0 (OWASP Foundation)',
    },
    regulation: {
      name: 'OWASP ASVS',
      url: 'https://owasp.org/www-project-application-security-verification-standard/',
    },
    sections: [...sections.values()],
  };
}

/** The label of an OSCAL control, such as `AC-2(1)`, or else its id. */
const labelOf = (control: Node): string => {
  const label = control
    .at('props')
    .list()
    .find((property) => property.at('name').value === 'label' && property.at('class').missing);
  return (label ? label.at('value') : control.at('id')).text(50);
};

/** The controls of a group or control, followed by their enhancements. OSCAL also allows groups of groups. */
const controlsBelow = (parent: Node): Node[] => [
  ...parent.at('groups').list().flatMap(controlsBelow),
  ...parent
    .at('controls')
    .list()
    .flatMap((control) => [control, ...controlsBelow(control)]),
];

/**
 * Parses a NIST OSCAL catalog in JSON: each control and enhancement becomes a section of one regulation.
 *
 * @param text the whole file
 * @throws BrokenCatalog if it has another format
 */
export function readOscal(text: string, stated: Stated): Catalog {
  const catalog = parseJson(text).at('catalog');
  const metadata = catalog.at('metadata');
  const sections = controlsBelow(catalog).map((control) => ({
    code: labelOf(control),
    title: titleOf(control.at('title').text(LONGEST_TEXT)),
  }));
  checkFilled('controls', sections);
  checkUnique(
    'Control',
    sections.map(({ code }) => code),
  );
  const name = titleOf(metadata.at('title').text(LONGEST_TEXT));
  const ofNist = metadata
    .at('parties')
    .list()
    .some(
      (party) =>
        /NIST|National Institute of Standards/i.test(String(party.at('name').value)) ||
        /@nist\.gov/i.test(JSON.stringify(party.at('email-addresses').value ?? '')),
    );
  return {
    kind: 'oscal',
    source: {
      name,
      version: versionOf(stated, metadata.at('version').textIfGiven()),
      licence: stated.licence ?? (ofNist ? 'Public domain (NIST)' : 'Not stated in the file'),
    },
    regulation: { name, url: 'https://pages.nist.gov/OSCAL/' },
    sections,
  };
}
