import type { Library, Regulation } from './library-schema.js';
import type { Answer, MatchCondition, Question } from './survey-shapes.js';

/** A rule for libraries. Returns the violations as sentences that name the items. */
export type Rule = (library: Library) => string[];

/** The answers of a question, followed by those of its subquestions. */
export const answersOf = (question: Question): Answer[] => [
  ...question.answers,
  ...question.subquestions.flatMap((subquestion) => subquestion.answers),
];

/** The subsections of all sections of the survey, in its order. */
export const subsectionsOf = (library: Library) => library.sections.flatMap((section) => section.subsections);

/** All questions of the survey, in its order. */
export const questionsOf = (library: Library): Question[] =>
  subsectionsOf(library).flatMap((subsection) => subsection.questions);

/** The sections of all regulations, grouped by regulation. */
export const regulationSectionsOf = (library: Library) =>
  library.regulations.flatMap((regulation) => regulation.sections);

type RegulationSection = Regulation['sections'][number];

/** How far a countermeasure satisfies a section, and why. */
interface SectionMapping {
  readonly section: string;
  readonly countermeasure: string;
  readonly strength: string;
  readonly why: string;
}

/** The requirements of a section. Their codes extend its code, as `PW.7.1` or `GV.OC-01`. */
export const requirementsOf = (
  { code }: RegulationSection,
  sections: readonly RegulationSection[],
): RegulationSection[] =>
  sections.filter(
    (other) =>
      !other.from_requirements && other.code.startsWith(code) && ['.', '-'].includes(other.code.charAt(code.length)),
  );

/**
 * Mappings of requirements as mappings of their section: what satisfies one of several requirements satisfies the
 * section in part.
 */
function mappingsOfWhole(section: RegulationSection, mappings: readonly SectionMapping[]): SectionMapping[] {
  const byCountermeasure = new Map<string, SectionMapping>();
  for (const { strength, ...mapping } of mappings) {
    const existing = byCountermeasure.get(mapping.countermeasure);
    if (existing === undefined || (existing.strength === 'supports' && strength !== 'supports'))
      byCountermeasure.set(mapping.countermeasure, {
        ...mapping,
        section: section.id,
        strength: strength === 'full' ? 'partial' : strength,
      });
  }
  return [...byCountermeasure.values()];
}

/**
 * The mappings of a regulation with the ids of its sections. A mapping without a strength means "supports", so that
 * nothing is claimed that no one has assessed.
 */
export const mappingsOf = ({ sections, mappings = [] }: Regulation): SectionMapping[] => {
  const ids = new Map(sections.map(({ code, id }) => [code, id]));
  const rated = mappings.map((mapping) => ({ ...mapping, section: ids.get(mapping.section) ?? mapping.section }));
  const wholes = sections.filter(({ from_requirements: whole }) => whole);
  return [
    ...sections.flatMap(({ id, countermeasures = [] }) =>
      countermeasures.map((countermeasure) => ({ section: id, countermeasure, strength: 'supports', why: '' })),
    ),
    ...rated,
    ...wholes.flatMap((whole) => {
      const within = new Set(requirementsOf(whole, sections).map(({ id }) => id));
      return mappingsOfWhole(
        whole,
        rated.filter(({ section }) => within.has(section)),
      );
    }),
  ];
};

/**
 * The ids of sections that their partial mappings together satisfy: those that are marked so, and those whose
 * requirements are all satisfied.
 */
export function completedByPartsOf({ sections, mappings = [] }: Regulation): ReadonlySet<string> {
  const full = new Set(mappings.filter(({ strength }) => strength === 'full').map(({ section }) => section));
  const declared = sections.filter(({ partial_mappings_complete: complete }) => complete);
  const satisfied = new Set([...full, ...declared.map(({ code }) => code)]);
  const wholes = sections.filter(
    (section) =>
      section.from_requirements && requirementsOf(section, sections).every(({ code }) => satisfied.has(code)),
  );
  return new Set([...declared, ...wholes].map(({ id }) => id));
}

/** All items with match conditions. */
export const conditionedItemsOf = (
  library: Library,
): { readonly id: string; readonly match_conditions: readonly MatchCondition[] }[] => [
  ...library.weaknesses,
  ...library.countermeasures,
  ...library.additionalRequirements,
  ...library.howTos,
  ...library.threats,
];

/** All match conditions, with the id of their item. */
export const conditionsOf = (library: Library): { owner: string; condition: MatchCondition }[] =>
  conditionedItemsOf(library).flatMap((item) =>
    item.match_conditions.map((condition) => ({ owner: item.id, condition })),
  );

/** Reports values that occur more than once. */
export const repeated = <T>(what: string, items: readonly T[], valueOf: (item: T) => string | number): string[] => {
  const values = items.map(valueOf);
  const twice = values.filter((value, index) => values.indexOf(value) !== index);
  return [...new Set(twice)].map((value) => `${what} ${value} is defined more than once`);
};

/** Reports references of an item to values that do not exist. */
export const unresolved = <T>(owner: string, what: string, values: readonly T[], knownIds: ReadonlySet<T>): string[] =>
  values
    .filter((value) => !knownIds.has(value))
    .map((value) => `${owner} refers to ${what} ${String(value)}, which does not exist`);
