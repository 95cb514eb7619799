import { answersOf, questionsOf, type Rule } from '../schema/library-parts.js';

/**
 * Conditions test answers, or the attributes that stand for them. Both give the same result only if an attribute that
 * stands for an answer comes from nothing else.
 */
const attributesStandForOneAnswer: Rule = (library) => {
  const answers = questionsOf(library).flatMap(answersOf);
  const answerOf = new Map(answers.toReversed().flatMap(({ id, attributes: [own] }) => (own ? [[own, id]] : [])));
  const borrowed = (id: string, answer: string, attributes: readonly string[]): string[] =>
    attributes
      .filter((attribute) => (answerOf.get(attribute) ?? answer) !== answer)
      .map((attribute) => `${id} adds attribute ${attribute}, which stands for answer ${answerOf.get(attribute)}`);
  return [
    ...answers.flatMap(({ id, attributes }) => borrowed(id, id, attributes)),
    ...library.components.flatMap(({ id, answer_mapping: answer, implied_attributes: implied }) =>
      answer === null ? [] : borrowed(id, answer, implied),
    ),
  ];
};

/** Published clients find answers by using their texts as regular expressions. */
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

/** What every survey must keep, so that its answers mean the same to match conditions, clients and readers. */
export const SURVEY_RULES: readonly Rule[] = [attributesStandForOneAnswer, answersMatchThemselves];
