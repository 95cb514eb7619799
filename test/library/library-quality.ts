import { undeclaredPlaceholders } from '#domain/library/workflow-prompt/workflow-prompt.rules.js';
import { answersOf, conditionsOf, questionsOf, type Rule, unresolved } from '#content/library/schema/library-parts.js';
import { COMPONENT_RULES } from './component-rules.ts';
import { CONDITION_RULES } from './condition-rules.ts';
import { PROVENANCE_RULES } from './provenance-rules.ts';
import { PIN_RULES } from './pin-rules.ts';
import { REFERENCE_RULES } from './reference-rules.ts';
import { reachability } from './reachability.ts';
import { letterTrigrams, similarPairs, wordShingles } from './similarity.ts';
import { SURVEY_RULES } from './survey-rules.ts';
import { READABILITY_RULES } from './readability-rules.ts';
import { WORDING_RULES } from './wording-rules.ts';
import type { MatchCondition } from '#content/library/schema/survey-shapes.js';

/** Minimum length of the text of a countermeasure, weakness or threat, in characters. */
const MIN_TEXT_LENGTH = 300;

/** Minimum length of the text of an additional requirement or how-to, in characters. */
const MIN_PART_LENGTH = 200;

/** Titles of one kind with at least this similarity by `letterTrigrams` are near-duplicates. */
const MAX_TITLE_SIMILARITY = 0.5;

/** Texts with at least this similarity by `wordShingles` are near-duplicates. */
const MAX_TEXT_SIMILARITY = 0.2;

/** The kinds of tools and tests that can verify a countermeasure. */
const VERIFICATION_COVERAGE: ReadonlySet<string> = new Set([
  'configuration-scan',
  'dependency-scan',
  'dynamic-analysis',
  'manual-review',
  'penetration-test',
  'static-analysis',
  'unit-test',
]);

const shorterThan =
  (minimum: number) =>
  ({ id, text }: { readonly id: string; readonly text: string }): string[] =>
    text.length < minimum ? [`${id} has a text of ${text.length} characters; at least ${minimum} are required`] : [];

/** With the decision engine on, a condition tests the attributes of its answers, so each answer needs one. */
const conditionsHaveAttributes: Rule = (library) => {
  const answers = questionsOf(library).flatMap(answersOf);
  const without = new Set(answers.filter(({ attributes }) => !attributes.length).map(({ id }) => id));
  return conditionsOf(library).flatMap(({ owner, condition }) =>
    [...condition.required, ...condition.excluded]
      .filter((answer) => without.has(answer))
      .map((answer) => `${condition.id} of ${owner} refers to answer ${answer}, which adds no attribute`),
  );
};

/** A variable that the prompt does not use was forgotten. */
const variablesAreUsed: Rule = ({ workflowPrompts }) =>
  workflowPrompts.flatMap(({ id, prompt, variables }) => {
    const used = new Set(undeclaredPlaceholders(prompt, []));
    return variables
      .filter((name) => !used.has(name))
      .map((name) => `workflow prompt ${id} declares ${name}, which it does not use`);
  });

/** A profile has at most one answer to a single-choice question, and answers visible questions only. */
export const profilesCanBeAnswered: Rule = (library) =>
  library.profiles.flatMap(({ id, answers }) => {
    const selectedAnswers = new Set(answers);
    return questionsOf(library).flatMap((question) => {
      const chosenAnswers = answersOf(question).filter((answer) => selectedAnswers.has(answer.id));
      const shown = !question.depends_on.length || question.depends_on.some((answer) => selectedAnswers.has(answer));
      return [
        ...(chosenAnswers.length && !shown
          ? [`${id} answers ${question.id}, which its other answers do not open`]
          : []),
        ...(chosenAnswers.length > 1 && question.format === 'SC'
          ? [`${id} gives several answers to ${question.id}`]
          : []),
      ];
    });
  });

const weaknessesAreAddressed: Rule = (library) => {
  const addressed = new Set(library.countermeasures.map(({ weakness }) => weakness));
  return library.weaknesses.filter(({ id }) => !addressed.has(id)).map(({ id }) => `${id} has no countermeasure`);
};

const textsSayEnough: Rule = (library) => [
  ...[...library.weaknesses, ...library.countermeasures, ...library.threats].flatMap(shorterThan(MIN_TEXT_LENGTH)),
  ...[...library.howTos, ...library.additionalRequirements].flatMap(shorterThan(MIN_PART_LENGTH)),
];

const titlesDiffer: Rule = (library) =>
  [
    library.weaknesses,
    library.countermeasures,
    library.additionalRequirements,
    library.howTos,
    library.threats,
    library.components,
  ].flatMap((items: readonly { id: string; title: string }[]) =>
    similarPairs(items, ({ title }) => letterTrigrams(title), MAX_TITLE_SIMILARITY).map(
      ({ first, second, similarity }) =>
        `${first.id} "${first.title}" and ${second.id} "${second.title}" have nearly the same title (similarity ` +
        `${similarity.toFixed(2)})`,
    ),
  );

/** Texts of all kinds are compared with each other, in order to find copies between kinds too. */
const textsDiffer: Rule = (library) => {
  const texts: readonly { id: string; text: string }[] = [
    ...library.weaknesses,
    ...library.countermeasures,
    ...library.additionalRequirements,
    ...library.howTos,
    ...library.threats,
    ...library.components.map(({ id, description }) => ({ id, text: description })),
  ];
  return similarPairs(texts, ({ text }) => wordShingles(text), MAX_TEXT_SIMILARITY).map(
    ({ first, second, similarity }) =>
      `${first.id} and ${second.id} have nearly the same text (similarity ${similarity.toFixed(2)})`,
  );
};

const coverageIsKnown: Rule = (library) =>
  library.countermeasures.flatMap(({ id, verification_coverage: coverage }) =>
    unresolved(id, 'verification coverage', coverage, VERIFICATION_COVERAGE),
  );

/** An item that no answers make applicable never appears in a project, and neither do its parts. */
const itemsAreReachable: Rule = (library) => {
  const reachable = reachability(library);
  const weaknesses = new Map(library.weaknesses.map((weakness) => [weakness.id, weakness.match_conditions]));
  const countermeasures = new Map(
    library.countermeasures.map(({ id, weakness, match_conditions: own }) => [
      id,
      [own, weaknesses.get(weakness) ?? []],
    ]),
  );
  const demands: (readonly [id: string, lists: readonly (readonly MatchCondition[])[]])[] = [
    ...[...library.weaknesses, ...library.threats].map(({ id, match_conditions: own }) => [id, [own]] as const),
    ...countermeasures,
    ...[...library.additionalRequirements, ...library.howTos].map(
      ({ id, countermeasure, match_conditions: own }) =>
        [id, [own, ...(countermeasures.get(countermeasure) ?? [])]] as const,
    ),
  ];
  return demands
    .filter(([, lists]) => !reachable(...lists))
    .map(([id]) => `${id} is not reached by any answers to the survey`);
};

/** An answer without effect wastes the time of everyone who fills in the survey. */
const answersChangeSomething: Rule = (library) => {
  const questions = questionsOf(library);
  const used = new Set([
    ...conditionsOf(library).flatMap(({ condition }) => [...condition.required, ...condition.excluded]),
    ...library.components.flatMap(({ answer_mapping: answer }) => answer ?? []),
    ...questions.flatMap(({ depends_on: on }) => on),
  ]);
  return questions
    .flatMap(answersOf)
    .filter(({ id }) => !used.has(id))
    .map(({ id }) => `${id} changes nothing`);
};

/** People fill in the survey from top to bottom, so a question comes after the answers that make it visible. */
const questionsFollowTheirAnswers: Rule = (library) => {
  const earlierAnswers = new Set<string>();
  return questionsOf(library).flatMap((question) => {
    const laterAnswers = question.depends_on.filter((answer) => !earlierAnswers.has(answer));
    for (const { id } of answersOf(question)) earlierAnswers.add(id);
    return laterAnswers.map((answer) => `${question.id} depends on ${answer}, which does not come before it`);
  });
};

/** Rules for useful content, in addition to what the tables require. */
export const QUALITY_RULES: readonly Rule[] = [
  conditionsHaveAttributes,
  weaknessesAreAddressed,
  itemsAreReachable,
  answersChangeSomething,
  questionsFollowTheirAnswers,
  textsSayEnough,
  titlesDiffer,
  textsDiffer,
  coverageIsKnown,
  profilesCanBeAnswered,
  variablesAreUsed,
  ...REFERENCE_RULES,
  ...PIN_RULES,
  ...COMPONENT_RULES,
  ...CONDITION_RULES,
  ...SURVEY_RULES,
  ...PROVENANCE_RULES,
  ...WORDING_RULES,
  ...READABILITY_RULES,
];
