import { editionOf } from '#domain/library/regulation/regulation.fields.js';
import type { Rule } from '#content/library/schema/library-parts.js';
import type { Library } from '#content/library/schema/library-schema.js';
import type { Provenance } from '#content/library/schema/item-shapes.js';

/** Number of requirements in each section of ASVS 5.0, by chapter: V1.1 has 2, V1.2 has 10, and so on. */
export const ASVS_REQUIREMENTS: readonly (readonly number[])[] = [
  [2, 10, 12, 3, 3],
  [3, 3, 5, 2],
  [1, 3, 5, 8, 8, 1, 5],
  [5, 5, 2, 4],
  [1, 6, 3, 3],
  [3, 12, 8, 6, 8, 4, 2, 4],
  [3, 4, 2, 5, 3, 2],
  [4, 4, 3, 2],
  [3, 4],
  [2, 3, 5, 16, 5, 2, 3],
  [4, 5, 5, 4, 2, 2, 2],
  [5, 2, 5],
  [4, 6, 4, 7],
  [2, 8, 3],
  [5, 5, 7, 4],
  [1, 5, 4, 3, 4],
  [2, 8, 2],
];

function isAsvsRequirement(reference: string): boolean {
  const [chapter = 0, section = 0, requirement = 0] = reference.replace('asvs:5.0:', '').split('.').map(Number);
  return requirement >= 1 && requirement <= (ASVS_REQUIREMENTS[chapter - 1]?.[section - 1] ?? 0);
}

/** Prefixes of section codes in references, by regulation of the library. */
const prefixesOf: (library: Library) => ReadonlyMap<string, ReadonlySet<string>> = ({ regulations }) =>
  new Map(
    regulations.map((regulation) => [
      regulation.slug === 'nist-ssdf' ? 'nist:800-218:' : `${editionOf(regulation)}, `,
      new Set(regulation.sections.map(({ code }) => code)),
    ]),
  );

/** All items that can have references and a review date. */
const itemsOf = (library: Library): readonly (Provenance & { readonly id: string })[] => [
  ...library.weaknesses,
  ...library.countermeasures,
  ...library.additionalRequirements,
  ...library.howTos,
  ...library.threats,
];

/** References name existing sections, as far as the library knows them: its own regulations and ASVS. */
const sectionsExist: Rule = (library) => {
  const prefixes = [...prefixesOf(library)];
  const exists = (reference: string): boolean =>
    reference.startsWith('asvs:')
      ? isAsvsRequirement(reference)
      : prefixes.every(([prefix, codes]) => !reference.startsWith(prefix) || codes.has(reference.slice(prefix.length)));
  return itemsOf(library).flatMap(({ id, references = [] }) =>
    references
      .filter((reference) => !exists(reference))
      .map((reference) => `${id} refers to ${reference}, which does not exist`),
  );
};

/** A reference to an entry of a public catalog: `MITRE ATLAS AML.T0051: LLM Prompt Injection`. */
const CATALOG_ENTRY = /^(?:CAPEC-|MITRE (?:ATT&CK|EMB3D|ATLAS) )/u;

/** References to public catalogs use the official ids and names. */
const catalogEntriesExist: Rule = (library) => {
  const knownIds = new Set([
    ...library.capecs.map(({ id, title }) => `CAPEC-${id}: ${title}`),
    ...library.frameworks.flatMap(({ name, entries }) => entries.map((entry) => `${name} ${entry.id}: ${entry.name}`)),
  ]);
  return itemsOf(library).flatMap(({ id, references = [] }) =>
    references
      .filter((reference) => CATALOG_ENTRY.test(reference) && !knownIds.has(reference))
      .map((reference) => `${id} refers to ${reference}, which does not exist`),
  );
};

/** Every text has references. There is a stricter rule for countermeasures. */
const textsHaveReferences: Rule = ({ weaknesses, additionalRequirements, threats }) =>
  [...weaknesses, ...additionalRequirements, ...threats]
    .filter(({ references = [] }) => !references.length)
    .map(({ id }) => `${id} has no references`);

/** A review date in the future is a mistake. */
const reviewsHaveTakenPlace: Rule = (library) => {
  const today = new Date().toISOString().slice(0, 10);
  return itemsOf(library)
    .filter(({ reviewed_at: reviewed = '' }) => reviewed > today)
    .map(({ id, reviewed_at: reviewed }) => `${id} was reviewed on ${reviewed}, which is in the future`);
};

/** A countermeasure refers to a CWE, for developers, and to a section of a standard, for auditors. */
const countermeasuresHaveReferences: Rule = (library) => {
  const prefixes = ['asvs:', 'masvs:', 'nist:', 'rfc:', ...prefixesOf(library).keys()];
  return library.countermeasures.flatMap(({ id, references = [] }) => [
    ...(references.some((reference) => reference.startsWith('cwe:')) ? [] : [`${id} does not refer to a CWE`]),
    ...(references.some((reference) => prefixes.some((prefix) => reference.startsWith(prefix)))
      ? []
      : [`${id} does not refer to a section of a standard`]),
  ]);
};

/** Code that works with one version may not work with the next, so how-tos name theirs. */
const howTosNameTheirVersions: Rule = ({ howTos }) =>
  howTos.flatMap(({ id, versions, reviewed_at: reviewed }) => [
    ...(versions === undefined ? [`${id} does not state product versions`] : []),
    ...(reviewed === undefined ? [`${id} does not state when it was reviewed`] : []),
  ]);

/** Rules for references. */
export const REFERENCE_RULES: readonly Rule[] = [
  sectionsExist,
  catalogEntriesExist,
  textsHaveReferences,
  reviewsHaveTakenPlace,
  countermeasuresHaveReferences,
  howTosNameTheirVersions,
];
