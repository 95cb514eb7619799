import { mappingsOf, regulationSectionsOf, requirementsOf, type Rule } from '#content/library/schema/library-parts.js';
import { CHEAT_SHEETS } from './cheat-sheets.ts';

/** References to CWE name existing entries. */
const weaknessTypesExist: Rule = (library) => {
  const knownSources = new Set(library.cwes.map(({ id }) => `cwe:${id}`));
  const items = [
    ...library.weaknesses,
    ...library.countermeasures,
    ...library.additionalRequirements,
    ...library.howTos,
    ...library.threats,
  ];
  return items.flatMap(({ id, references = [] }) =>
    references
      .filter((reference) => reference.startsWith('cwe:') && !knownSources.has(reference))
      .map((reference) => `${id} refers to ${reference}, which is not in the CWE list`),
  );
};

/** A section is satisfied by one full mapping or by several partial ones; one partial mapping is not enough. */
const partialMappingsAddUp: Rule = ({ regulations }) =>
  regulations.flatMap((regulation) => {
    const partial = mappingsOf(regulation).filter(({ strength }) => strength === 'partial');
    return regulation.sections
      .filter(({ partial_mappings_complete: complete }) => complete)
      .filter(({ id }) => partial.filter(({ section }) => section === id).length < 2)
      .map(({ id }) => `${id} claims that its partial mappings are complete, and has fewer than two`);
  });

/** A section that takes its mappings from its requirements has requirements, and no mappings of its own. */
const combinedSectionsHaveRequirements: Rule = ({ regulations }) =>
  regulations.flatMap((regulation) => {
    const { sections, mappings = [] } = regulation;
    const own = new Set(mappings.map(({ section }) => section));
    return sections
      .filter(({ from_requirements: whole }) => whole)
      .flatMap((whole) => [
        ...(requirementsOf(whole, sections).length ? [] : [`${whole.id} has no requirements to take mappings from`]),
        ...(own.has(whole.code) ? [`${whole.id} has its own mappings in addition to those of its requirements`] : []),
      ]);
  });

/** The reason of a mapping is a sentence that an auditor can check. */
const mappingsGiveReasons: Rule = ({ regulations }) =>
  regulations.flatMap(({ mappings = [] }) =>
    mappings
      .filter(({ why }) => why.split(' ').length < 5 || !why.endsWith('.'))
      .map(({ section, countermeasure }) => `The mapping ${section}–${countermeasure} does not give its reason`),
  );

/** Maximum number of mappings with the same reason: variants of one requirement for several kinds of device need it. */
const MAX_REASON_SHARED = 4;

/**
 * A reason that fits many sections describes the countermeasure instead of the part of the section that it satisfies.
 */
const reasonsAreSpecific: Rule = ({ regulations }) => {
  const counts = new Map<string, number>();
  for (const { mappings = [] } of regulations)
    for (const { why } of mappings) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > MAX_REASON_SHARED)
    .map(([why, count]) => `${count} mappings share the reason "${why}"; at most ${MAX_REASON_SHARED} may share one`);
};

/** Sections that correspond to a CWE have its official name, which is in the public domain. */
const weaknessSectionsHaveOfficialTitles: Rule = (library) => {
  const titles = new Map(library.cwes.map(({ id, title }) => [`CWE-${id}`, title]));
  return regulationSectionsOf(library)
    .filter(({ code, title }) => code.startsWith('CWE-') && titles.get(code) !== title)
    .map(({ id, code }) => `${id} does not have the official title of ${code}`);
};

/** The CWEs whose kinds a CWE is one of, directly or indirectly, by MITRE's relations. */
function ancestorsOf(cwe: number, parents: ReadonlyMap<number, readonly number[]>): Set<number> {
  const found = new Set<number>();
  const waiting = [cwe];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const parent of parents.get(next) ?? [])
      if (!found.has(parent)) {
        found.add(parent);
        waiting.push(parent);
      }
  return found;
}

/**
 * A countermeasure satisfies a CWE, in full or in part, only if it refers to it, to a kind of it, or to what it is a kind
 * of. NoSQL injection, for example, is no kind of command injection. Others can provide evidence.
 */
const mappingsFollowTheHierarchyOfCwe: Rule = (library) => {
  const parents = new Map(library.cwes.map(({ id, parents: ids }) => [id, ids]));
  const related = (one: number, other: number): boolean =>
    one === other || ancestorsOf(one, parents).has(other) || ancestorsOf(other, parents).has(one);
  const cwesOf = new Map(
    library.countermeasures.map(({ id, references = [] }) => [
      id,
      references.filter((reference) => reference.startsWith('cwe:')).map((reference) => Number(reference.slice(4))),
    ]),
  );
  return library.regulations.flatMap(({ mappings = [] }) =>
    mappings
      .filter(({ section, strength }) => section.startsWith('CWE-') && strength !== 'supports')
      .filter(
        ({ section, countermeasure }) =>
          !cwesOf.get(countermeasure)?.some((cwe) => related(cwe, Number(section.slice(4)))),
      )
      .map(
        ({ section, countermeasure }) =>
          `The mapping ${section}–${countermeasure} is more than evidence, and ${countermeasure} refers to no related CWE`,
      ),
  );
};

/** References to cheat sheets name those that OWASP has published. */
const cheatSheetsExist: Rule = (library) =>
  [
    ...library.weaknesses,
    ...library.countermeasures,
    ...library.additionalRequirements,
    ...library.howTos,
    ...library.threats,
  ].flatMap(({ id, references = [] }) =>
    references
      .filter((reference) => reference.startsWith('owasp-cheatsheet:'))
      .filter((reference) => !CHEAT_SHEETS.has(reference.slice(17).replace(/_Cheat_Sheet$/, '')))
      .map((reference) => `${id} refers to ${reference}, which is not in the list of cheat sheets`),
  );

/** Rules for references of items and for mappings to regulations. */
export const PROVENANCE_RULES: readonly Rule[] = [
  weaknessTypesExist,
  weaknessSectionsHaveOfficialTitles,
  partialMappingsAddUp,
  combinedSectionsHaveRequirements,
  mappingsGiveReasons,
  reasonsAreSpecific,
  mappingsFollowTheHierarchyOfCwe,
  cheatSheetsExist,
];
