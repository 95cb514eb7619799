import { SaxesParser } from 'saxes';
import type { Cwe } from '../library/public-tables/cwe-table.js';
import { BrokenCatalog, type Catalog, checkFilled, checkUnique, type Stated, versionOf } from './catalog.js';
import { type Node, parseJson } from './json-document.js';

/** A relation between two CWEs, in one of MITRE's views. */
interface CweRelation {
  readonly nature: string | undefined;
  readonly cwe: number;
  readonly view: string | undefined;
}

/** The view "Research Concepts", which contains every entry. */
const RESEARCH_CONCEPTS = '1000';

const LICENCE = 'CWE Terms of Use (The MITRE Corporation)';

/** The parents of a CWE. */
function parentsOf(relations: readonly CweRelation[]): number[] {
  const parents = relations.filter(({ nature, view }) => nature === 'ChildOf' && view === RESEARCH_CONCEPTS);
  return [...new Set(parents.map(({ cwe }) => cwe))].sort((a, b) => a - b);
}

function catalogOf(cwes: readonly Cwe[], stated: Stated, version: string | undefined): Catalog {
  checkFilled('weaknesses', cwes);
  checkUnique(
    'CWE',
    cwes.map(({ id }) => id),
  );
  return {
    kind: 'cwe',
    source: { name: 'CWE', version: versionOf(stated, version), licence: stated.licence ?? LICENCE },
    cwes,
  };
}

const attributeOf = (attributes: Readonly<Record<string, string>>, name: string, position: string): string => {
  const value = attributes[name]?.trim();
  if (!value) throw new BrokenCatalog(`${position} has no ${name}.`);
  return value;
};

const numberOf = (text: string, position: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new BrokenCatalog(`${position}: "${text}" is not a CWE number.`);
  return Number(text);
};

/** Parses the XML of MITRE's downloads. The parser supports neither external nor declared entities. */
function readXml(text: string, stated: Stated): Catalog {
  const cwes: Cwe[] = [];
  const path: string[] = [];
  let version: string | undefined;
  let relations: CweRelation[] = [];
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw new BrokenCatalog('The file declares a document type, which is not allowed in a CWE catalog.');
  });
  parser.on('error', (error) => {
    throw new BrokenCatalog(`The file is not well-formed XML: ${error.message}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name);
    const position = `<${name}> at line ${parser.line}`;
    if (path.length === 1) {
      if (name !== 'Weakness_Catalog')
        throw new BrokenCatalog(`The file begins with <${name}>, not <Weakness_Catalog>.`);
      version = attributes['Version'];
    }
    if (path.join('/') === 'Weakness_Catalog/Weaknesses/Weakness') {
      relations = [];
      cwes.push({
        id: numberOf(attributeOf(attributes, 'ID', position), position),
        title: attributeOf(attributes, 'Name', position),
        abstraction: attributeOf(attributes, 'Abstraction', position),
        status: attributeOf(attributes, 'Status', position),
        parents: [],
      });
    }
    if (name === 'Related_Weakness' && path[2] === 'Weakness')
      relations.push({
        nature: attributes['Nature'],
        cwe: numberOf(attributeOf(attributes, 'CWE_ID', position), position),
        view: attributes['View_ID'],
      });
  });
  parser.on('closetag', ({ name }) => {
    path.pop();
    const last = cwes.at(-1);
    if (name === 'Weakness' && last) cwes[cwes.length - 1] = { ...last, parents: parentsOf(relations) };
  });
  parser.write(text).close();
  return catalogOf(cwes, stated, version);
}

const relationOf = (relation: Node): CweRelation => ({
  nature: relation.at('Nature').textIfGiven(),
  cwe: relation.at('CweID').number(),
  view: relation.at('ViewID').missing ? undefined : String(relation.at('ViewID').value),
});

/** Parses the JSON of MITRE's API: `{"Weaknesses": [{"ID", "Name", "Abstraction", "Status", "RelatedWeaknesses"}]}`. */
function readJson(text: string, stated: Stated): Catalog {
  const document = parseJson(text);
  const cwes = document
    .at('Weaknesses')
    .list()
    .map((weakness) => ({
      id: weakness.at('ID').number(),
      title: weakness.at('Name').text(),
      abstraction: weakness.at('Abstraction').text(),
      status: weakness.at('Status').text(),
      parents: parentsOf(weakness.at('RelatedWeaknesses').list().map(relationOf)),
    }));
  return catalogOf(cwes, stated, document.at('ContentVersion').textIfGiven() ?? document.at('Version').textIfGiven());
}

/**
 * Parses the Common Weakness Enumeration in one of MITRE's formats: the XML download, or the JSON of the API.
 *
 * @param text the whole file
 * @throws BrokenCatalog if it has neither format
 */
export const readCwe = (text: string, stated: Stated): Catalog =>
  text.trimStart().startsWith('<') ? readXml(text, stated) : readJson(text, stated);
