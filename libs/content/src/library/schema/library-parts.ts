import type { Library, Regulation } from './library-schema.js';
import type { Answer, MatchCondition, Question } from './survey-shapes.js';

/** Says what a library does not keep: sentences that name the items. */
export type Rule = (library: Library) => string[];

/** The answers of a question, those of its subquestions last. */
export const answersOf = (question: Question): Answer[] => [
  ...question.answers,
  ...question.subquestions.flatMap((subquestion) => subquestion.answers),
];

/** The subsections of all sections of the survey, in its order. */
export const subsectionsOf = (library: Library) => library.sections.flatMap((section) => section.subsections);

/** All questions of the survey, in its order. */
export const questionsOf = (library: Library): Question[] =>
  subsectionsOf(library).flatMap((subsection) => subsection.questions);

/** The sections of all regulations, those of one regulation together. */
export const regulationSectionsOf = (library: Library) =>
  library.regulations.flatMap((regulation) => regulation.sections);

type RegulationSection = Regulation['sections'][number];

/** How far a countermeasure goes towards the section with this id, and why. */
interface SectionMapping {
  readonly section: string;
  readonly countermeasure: string;
  readonly strength: string;
  readonly why: string;
}

/** The requirements within a section: their codes continue its own, as `PW.7.1` and `GV.OC-01` do. */
export const requirementsOf = (
  { code }: RegulationSection,
  sections: readonly RegulationSection[],
): RegulationSection[] =>
  sections.filter(
    (other) =>
      !other.from_requirements && other.code.startsWith(code) && ['.', '-'].includes(other.code.charAt(code.length)),
  );

/** What satisfies one requirement is one of several that the whole section needs. */
function mappingsOfWhole(section: RegulationSection, mappings: readonly SectionMapping[]): SectionMapping[] {
  const found = new Map<string, SectionMapping>();
  for (const { strength, ...mapping } of mappings) {
    const known = found.get(mapping.countermeasure);
    if (known === undefined || (known.strength === 'supports' && strength !== 'supports'))
      found.set(mapping.countermeasure, {
        ...mapping,
        section: section.id,
        strength: strength === 'full' ? 'partial' : strength,
      });
  }
  return [...found.values()];
}

/**
 * The mappings of a regulation with the ids of its sections. What a section names without a strength supports it: no
 * more is claimed than someone has judged.
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
 * The ids of the sections of a regulation that their partial mappings together satisfy: those that say so, and those
 * that take their mappings from requirements which are all satisfied.
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

/** Everything whose match conditions say where it applies. */
export const conditionedItemsOf = (
  library: Library,
): { readonly id: string; readonly match_conditions: readonly MatchCondition[] }[] => [
  ...library.weaknesses,
  ...library.countermeasures,
  ...library.additionalRequirements,
  ...library.howTos,
  ...library.threats,
];

/** Every match condition with the id of what it hangs on. */
export const conditionsOf = (library: Library): { owner: string; condition: MatchCondition }[] =>
  conditionedItemsOf(library).flatMap((item) =>
    item.match_conditions.map((condition) => ({ owner: item.id, condition })),
  );

/** Says which values stand more than once. */
export const repeated = <T>(what: string, items: readonly T[], valueOf: (item: T) => string | number): string[] => {
  const values = items.map(valueOf);
  const twice = values.filter((value, place) => values.indexOf(value) !== place);
  return [...new Set(twice)].map((value) => `${what} ${value} stands more than once`);
};

/** Says which of the values that an item names are not there. */
export const unresolved = <T>(owner: string, what: string, values: readonly T[], known: ReadonlySet<T>): string[] =>
  values
    .filter((value) => !known.has(value))
    .map((value) => `${owner} names ${what} ${String(value)}, which is not there`);
