import { answersOf, questionsOf, type Rule } from '#content/library/schema/library-parts.js';

/**
 * Conditions test answers or, with the decision engine on, their attributes. Both have the same result only if no other
 * answer or component brings in the attribute of an answer.
 */
const attributesRepresentOneAnswer: Rule = (library) => {
  const answers = questionsOf(library).flatMap(answersOf);
  const answerOf = new Map(answers.toReversed().flatMap(({ id, attributes: [own] }) => (own ? [[own, id]] : [])));
  const attributesOfOtherAnswers = (id: string, answer: string, attributes: readonly string[]): string[] =>
    attributes
      .filter((attribute) => (answerOf.get(attribute) ?? answer) !== answer)
      .map((attribute) => `${id} adds attribute ${attribute}, which represents answer ${answerOf.get(attribute)}`);
  return [
    ...answers.flatMap(({ id, attributes }) => attributesOfOtherAnswers(id, id, attributes)),
    ...library.components.flatMap(({ id, answer_mapping: answer, implied_attributes: implied }) =>
      answer === null ? [] : attributesOfOtherAnswers(id, answer, implied),
    ),
  ];
};

/** Published clients use texts of answers as regular expressions to find them. */
const answersMatchThemselves: Rule = (library) =>
  questionsOf(library)
    .flatMap(answersOf)
    .filter(({ text }) => !matchesItself(text))
    .map(({ id, text }) => `${id} has the text "${text}", which does not match itself as a regular expression`);

function matchesItself(text: string): boolean {
  try {
    return new RegExp(`^(?:${text})$`, 'u').test(text);
  } catch {
    return false;
  }
}

/** Rules for the survey. */
export const SURVEY_RULES: readonly Rule[] = [attributesRepresentOneAnswer, answersMatchThemselves];
