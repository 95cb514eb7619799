import { undeclaredPlaceholders } from '#domain/library/workflow-prompt/workflow-prompt.rules.js';
import { answersOf, conditionsOf, questionsOf, type Rule, unresolved } from '../schema/library-parts.js';
import { CONDITION_RULES } from './condition-rules.js';
import { PROVENANCE_RULES } from './provenance-rules.js';
import { REFERENCE_RULES } from './reference-rules.js';
import { reachability } from './reachability.js';
import { letterTrigrams, similarPairs, wordShingles } from './similarity.js';
import { SURVEY_RULES } from './survey-rules.js';
import { READABILITY_RULES } from './readability-rules.js';
import { WORDING_RULES } from './wording-rules.js';
import type { MatchCondition } from '../schema/survey-shapes.js';

/** Characters of the text of a countermeasure, weakness or threat, at least. */
const TEXT_MINIMUM = 300;

/** The least number of characters of a part of a countermeasure. */
const PART_MINIMUM = 200;

/** Two titles of one kind are near-duplicates from this similarity on, by `letterTrigrams`. */
const TITLE_SIMILARITY_LIMIT = 0.5;

/** Two texts are near-duplicates from this similarity on, by `wordShingles`. */
const TEXT_SIMILARITY_LIMIT = 0.2;

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
    text.length < minimum ? [`${id} has a text of ${text.length} characters; it takes ${minimum} to be useful`] : [];

/** With the decision engine on, conditions are about what their answers bring in. */
const conditionsHaveAttributes: Rule = (library) => {
  const answers = questionsOf(library).flatMap(answersOf);
  const without = new Set(answers.filter(({ attributes }) => !attributes.length).map(({ id }) => id));
  return conditionsOf(library).flatMap(({ owner, condition }) =>
    [...condition.required, ...condition.excluded]
      .filter((answer) => without.has(answer))
      .map((answer) => `${condition.id} of ${owner} names answer ${answer}, which brings no attribute in`),
  );
};

/** A variable that its prompt does not use is one that someone forgot to put in. */
const variablesAreUsed: Rule = ({ workflowPrompts }) =>
  workflowPrompts.flatMap(({ id, prompt, variables }) => {
    const used = new Set(undeclaredPlaceholders(prompt, []));
    return variables
      .filter((name) => !used.has(name))
      .map((name) => `workflow prompt ${id} declares ${name}, which it does not use`);
  });

/** One answer to a question that takes one, and none to a question that is never shown. */
export const profilesCanBeAnswered: Rule = (library) =>
  library.profiles.flatMap(({ id, answers }) => {
    const chosen = new Set(answers);
    return questionsOf(library).flatMap((question) => {
      const given = answersOf(question).filter((answer) => chosen.has(answer.id));
      const shown = !question.depends_on.length || question.depends_on.some((answer) => chosen.has(answer));
      return [
        ...(given.length && !shown ? [`${id} answers ${question.id}, which its other answers do not lead to`] : []),
        ...(given.length > 1 && question.format === 'SC' ? [`${id} gives several answers to ${question.id}`] : []),
      ];
    });
  });

const weaknessesAreAddressed: Rule = (library) => {
  const addressed = new Set(library.countermeasures.map(({ weakness }) => weakness));
  return library.weaknesses.filter(({ id }) => !addressed.has(id)).map(({ id }) => `${id} has no countermeasure`);
};

const textsSayEnough: Rule = (library) => [
  ...[...library.weaknesses, ...library.countermeasures, ...library.threats].flatMap(shorterThan(TEXT_MINIMUM)),
  ...[...library.howTos, ...library.additionalRequirements].flatMap(shorterThan(PART_MINIMUM)),
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
    similarPairs(items, ({ title }) => letterTrigrams(title), TITLE_SIMILARITY_LIMIT).map(
      ({ first, second, similarity }) =>
        `${first.id} "${first.title}" and ${second.id} "${second.title}" have nearly the same title (similarity ` +
        `${similarity.toFixed(2)})`,
    ),
  );

/** Texts of all kinds are compared with each other: advice that was copied from one to another is found too. */
const textsDiffer: Rule = (library) => {
  const texts: readonly { id: string; text: string }[] = [
    ...library.weaknesses,
    ...library.countermeasures,
    ...library.additionalRequirements,
    ...library.howTos,
    ...library.threats,
    ...library.components.map(({ id, description }) => ({ id, text: description })),
  ];
  return similarPairs(texts, ({ text }) => wordShingles(text), TEXT_SIMILARITY_LIMIT).map(
    ({ first, second, similarity }) =>
      `${first.id} and ${second.id} have nearly the same text (similarity ${similarity.toFixed(2)})`,
  );
};

const coverageIsKnown: Rule = (library) =>
  library.countermeasures.flatMap(({ id, verification_coverage: coverage }) =>
    unresolved(id, 'verification coverage', coverage, VERIFICATION_COVERAGE),
  );

/** What no answer brings in, no project ever gets: neither the item nor its parts. */
const itemsAreReached: Rule = (library) => {
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
    .map(([id]) => `${id} is reached by no answers to the survey`);
};

/** Answers that no one asks for again cost the time of everyone who fills the survey in. */
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

/** The survey is filled in from top to bottom: nothing appears above the answer that brought it in. */
const questionsFollowTheirAnswers: Rule = (library) => {
  const given = new Set<string>();
  return questionsOf(library).flatMap((question) => {
    const late = question.depends_on.filter((answer) => !given.has(answer));
    for (const { id } of answersOf(question)) given.add(id);
    return late.map((answer) => `${question.id} waits for ${answer}, which does not stand before it`);
  });
};

/** What makes a library worth reading, beyond what the tables rely on. */
export const QUALITY_RULES: readonly Rule[] = [
  conditionsHaveAttributes,
  weaknessesAreAddressed,
  itemsAreReached,
  answersChangeSomething,
  questionsFollowTheirAnswers,
  textsSayEnough,
  titlesDiffer,
  textsDiffer,
  coverageIsKnown,
  profilesCanBeAnswered,
  variablesAreUsed,
  ...REFERENCE_RULES,
  ...CONDITION_RULES,
  ...SURVEY_RULES,
  ...PROVENANCE_RULES,
  ...WORDING_RULES,
  ...READABILITY_RULES,
];
