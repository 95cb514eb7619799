import path from 'node:path';
import type { SectionPair } from '#domain/library/regulation/carried-mappings.js';
import { BrokenCatalog } from './catalog.js';
import { parseCsv, parseYaml } from './text-documents.js';
import type { Node } from './json-document.js';

/** A requirement of OWASP ASVS in its cross-edition tables: `v4.0.3-2.1.1`. */
const REQUIREMENT = /^v\d[\d.]*-(\d[\d.]*)$/;

/** One entry of a tag: an optional verb, and a requirement: `MOVED TO v5.0.0-6.2.1`. */
const TAG_ENTRY = /^(?:([A-Z ]+) )?(v\d[\d.]*-\d[\d.]*)$/;

/**
 * What happened to a requirement whose countermeasures also satisfy the new one. A requirement that was merged into
 * another, or is covered by it, may be only a part of that one.
 */
const KEEPS_MEANING: ReadonlySet<string> = new Set(['MOVED TO', 'SPLIT TO']);

const codeOf = (requirement: string, position: string): string => {
  const [, number] = REQUIREMENT.exec(requirement) ?? [];
  if (number === undefined)
    throw new BrokenCatalog(`${position}: "${requirement}" is not a requirement of OWASP ASVS.`);
  return `V${number}`;
};

/** The requirements in a tag such as `MODIFIED, MOVED TO v5.0.0-6.2.1, SPLIT TO v5.0.0-6.3.3, v5.0.0-6.3.4`. */
function successorsIn(tag: string, position: string): string[] {
  let verb = '';
  return tag.split(',').flatMap((part) => {
    const [, ownVerb, requirement] = TAG_ENTRY.exec(part.trim()) ?? [];
    verb = requirement === undefined ? '' : (ownVerb ?? verb);
    return requirement !== undefined && KEEPS_MEANING.has(verb) ? [codeOf(requirement, position)] : [];
  });
}

/** The tables that OWASP publishes with ASVS: `{"v4.0.3-2.1.1": {"tag-v5.0.0": "MOVED TO v5.0.0-6.2.1"}}`. */
function asvsPairs(document: Node): SectionPair[] {
  return document.entries().flatMap(([requirement, changes]) => {
    const from = codeOf(requirement, document.path);
    return changes.entries().flatMap(([, tag]) => successorsIn(tag.text(), tag.path).map((to) => ({ from, to })));
  });
}

const csvPairs = (text: string): SectionPair[] =>
  parseCsv(text).map((row) => ({ from: row.at('old').text(50), to: row.at('new').text(50) }));

/**
 * Parses a table of the sections that take the place of those of another edition: CSV with the columns `old` and `new`,
 * or one of the YAML files that OWASP publishes with ASVS.
 *
 * @throws BrokenCatalog if it has another format or is empty
 */
export function parseSectionPairs(text: string, file: string): SectionPair[] {
  const isYaml = /\.ya?ml$/i.test(path.basename(file));
  const pairs = isYaml ? asvsPairs(parseYaml(text)) : csvPairs(text);
  if (!pairs.length) throw new BrokenCatalog('The file contains no pairs of sections.');
  return pairs;
}
