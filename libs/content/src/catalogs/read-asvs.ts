import { MAX_TEXT_LENGTH } from '#domain/kernel/fields/field-checks.js';
import type { EditionSection } from '#domain/library/regulation/regulation-edition.commands.js';
import { BrokenCatalog, type Catalog, checkFilled, checkUnique, type Stated, titleOf, versionOf } from './catalog.js';
import { parseCsv } from './text-documents.js';
import { type Node, parseJson } from './json-document.js';

/** The sections of ASVS, and the version if the file states it. */
interface Contents {
  readonly sections: readonly EditionSection[];
  readonly requirements: readonly string[];
  readonly version?: string | undefined;
}

const MAX_CODE_LENGTH = 50;

/** The version in a file's name: `asvs-5.0.0-en.flat.json`. */
const versionInName = (file: string): string | undefined => /(?<!\d)\d+(?:\.\d+)+/.exec(file)?.[0];

/** A requirement of which only a note is left, such as `[DELETED, MERGED TO 4.1.3]`. */
const isWithdrawn = (description: string): boolean => /^\[(?:DELETED\b|[^\]]*\]$)/i.test(description);

const described = (node: Node): string => node.text(MAX_TEXT_LENGTH);

/** The first of several names that is not blank. */
const nameOf = (...names: readonly Node[]): string =>
  names.map(({ value }) => (typeof value === 'string' ? value.trim() : '')).find((name) => name !== '') ?? '';

/** Collects chapters, sections and requirements in their order. Those of withdrawn requirements are left out. */
class Sections {
  readonly sections = new Map<string, EditionSection>();
  readonly requirements: string[] = [];

  heading(code: Node, ...names: readonly Node[]): void {
    const id = code.text(MAX_CODE_LENGTH);
    if (!this.sections.has(id))
      this.sections.set(id, { code: id, title: titleOf(nameOf(...names, code)), level: null });
  }

  requirement(code: Node, description: Node, level: number | null): void {
    const id = code.text(MAX_CODE_LENGTH);
    this.requirements.push(id);
    this.sections.set(id, { code: id, title: titleOf(described(description)), level });
  }

  contents(version?: string): Contents {
    return { sections: [...this.sections.values()], requirements: this.requirements, version };
  }
}

const numberedLevels = [1, 2, 3];

/** The lowest level that requires it, from a field with the number, or from one for each level. */
function levelOf(requirement: Node, required: (level: number) => boolean): number | null {
  const level = requirement.at('L');
  if (!level.missing) return level.number();
  return numberedLevels.find(required) ?? null;
}

const isMarked = ({ value }: Node): boolean => typeof value === 'string' && value.trim() !== '';

/** What flat JSON and CSV call their columns. */
interface Columns {
  readonly headings: readonly (readonly [code: string, name: string])[];
  readonly code: string;
  readonly description: string;
  /** The columns of the levels begin with this. */
  readonly level: string;
}

const COLUMNS: Columns = {
  headings: [
    ['chapter_id', 'chapter_name'],
    ['section_id', 'section_name'],
  ],
  code: 'req_id',
  description: 'req_description',
  level: 'level',
};

/** The columns of the flat JSON of ASVS 4.0, which has no sections. */
const FIRST_COLUMNS: Columns = {
  headings: [['Section', 'Name']],
  code: 'Item',
  description: 'Description',
  level: 'L',
};

/** The rows of flat JSON and CSV. Since ASVS 5 `L` has the level; before, a column for each level is marked. */
function readFlat(rows: readonly Node[]): Contents {
  const found = new Sections();
  const columns = rows[0] && !rows[0].at(FIRST_COLUMNS.code).missing ? FIRST_COLUMNS : COLUMNS;
  for (const row of rows) {
    const description = row.at(columns.description);
    if (isWithdrawn(described(description))) continue;
    for (const [code, name] of columns.headings) found.heading(row.at(code), row.at(name));
    found.requirement(
      row.at(columns.code),
      description,
      levelOf(row, (level) => isMarked(row.at(`${columns.level}${level}`))),
    );
  }
  return found.contents();
}

/** Hierarchical JSON: chapters with sections with requirements. */
function readHierarchy(document: Node): Contents {
  const found = new Sections();
  for (const chapter of document.at('Requirements').list())
    for (const section of chapter.at('Items').list())
      for (const requirement of section.at('Items').list()) {
        const description = requirement.at('Description');
        if (isWithdrawn(described(description))) continue;
        found.heading(chapter.at('Shortcode'), chapter.at('Name'), chapter.at('ShortName'));
        found.heading(section.at('Shortcode'), section.at('Name'));
        found.requirement(
          requirement.at('Shortcode'),
          description,
          levelOf(requirement, (level) => requirement.at(`L${level}`).at('Required').value === true),
        );
      }
  return found.contents(document.at('Version').textIfGiven());
}

/** The number in the name of a level: `Level 2`. */
const levelNumber = (level: Node): number => {
  const [digits = ''] = /\d+/.exec(level.at('identifier').text()) ?? [];
  const number = Number(digits);
  if (!numberedLevels.includes(number))
    throw new BrokenCatalog(`${level.path}.identifier is not a level of OWASP ASVS.`);
  return number;
};

/** The lowest level of each requirement in CycloneDX, where each level lists its requirements. */
function cycloneDxLevels(standard: Node): ReadonlyMap<string, number> {
  const levels = standard.at('levels').list();
  const pairs = levels.flatMap((level) =>
    level
      .at('requirements')
      .list()
      .map((requirement) => [requirement.text(), levelNumber(level)] as const),
  );
  return new Map(pairs.toSorted(([, a], [, b]) => b - a));
}

/** CycloneDX: a list of requirements with their parents. Headings have a title, requirements have a text. */
function readCycloneDx(document: Node): Contents {
  const place = ['definitions', 'declarations'].find((name) => !document.at(name).missing) ?? 'definitions';
  const standard = (document.at(place).missing ? [] : document.at(place).at('standards').list()).find((candidate) =>
    /ASVS|Application Security Verification Standard/i.test(String(candidate.at('name').value)),
  );
  if (!standard) throw new BrokenCatalog('The CycloneDX file does not contain the standard OWASP ASVS.');
  const levels = cycloneDxLevels(standard);
  const entries = standard.at('requirements').list();
  const parents = new Map(entries.map((entry) => [entry.at('bom-ref').text(), entry.at('parent').textIfGiven()]));
  const kept = new Set<string>();
  for (const entry of entries)
    if (!entry.at('text').missing && !isWithdrawn(described(entry.at('text'))))
      for (
        let id: string | undefined = entry.at('bom-ref').text();
        id !== undefined && !kept.has(id);
        id = parents.get(id)
      )
        kept.add(id);
  const found = new Sections();
  for (const entry of entries) {
    const reference = entry.at('bom-ref').text();
    if (!kept.has(reference)) continue;
    const [code, text] = [entry.at('identifier'), entry.at('text')];
    if (text.missing) found.heading(code, entry.at('title'));
    else found.requirement(code, text, levels.get(reference) ?? null);
  }
  return found.contents(standard.at('version').textIfGiven());
}

function readContents(text: string): Contents {
  if (!/^\s*[{[]/.test(text)) return readFlat(parseCsv(text));
  const document = parseJson(text);
  if (!document.at('bomFormat').missing) return readCycloneDx(document);
  return document.at('Requirements').missing ? readFlat(document.at('requirements').list()) : readHierarchy(document);
}

/**
 * Parses OWASP ASVS 4 or 5 in one of OWASP's formats: flat JSON, hierarchical JSON, CSV or CycloneDX. Chapters,
 * sections and requirements become sections of one regulation; deleted requirements are left out.
 *
 * @param text the whole file
 * @param file its name, which contains the version in formats that don't state it
 * @throws BrokenCatalog if it has another format
 */
export function readAsvs(text: string, stated: Stated, file: string): Catalog {
  const { sections, requirements, version } = readContents(text);
  checkFilled('requirements', requirements);
  checkUnique('Requirement', requirements);
  return {
    kind: 'asvs',
    source: {
      name: 'OWASP ASVS',
      version: versionOf(stated, version?.replace(/^v/i, '') ?? versionInName(file)),
      licence: stated.licence ?? 'CC BY-SA 4.0 (OWASP Foundation)',
    },
    regulation: {
      name: 'OWASP ASVS',
      url: 'https://owasp.org/www-project-application-security-verification-standard/',
    },
    sections,
  };
}
