import type { Library } from './library-schema.js';
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

/**
 * The mappings of a regulation with the ids of its sections. What a section names without a strength supports it: no
 * more is claimed than somebody has judged.
 */
export const mappingsOf = ({ sections, mappings = [] }: Library['regulations'][number]) => {
  const ids = new Map(sections.map(({ code, id }) => [code, id]));
  return [
    ...sections.flatMap(({ id, countermeasures }) =>
      countermeasures.map((countermeasure) => ({ section: id, countermeasure, strength: 'supports', why: '' })),
    ),
    ...mappings.map((mapping) => ({ ...mapping, section: ids.get(mapping.section) ?? mapping.section })),
  ];
};

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
