import { answersOf, questionsOf } from '../schema/library-parts.js';
import type { Library } from '../schema/library-schema.js';
import type { MatchCondition, Question } from '../schema/survey-shapes.js';

type Conditions = readonly MatchCondition[];
type QuestionsByAnswer = ReadonlyMap<string, Question>;

/**
 * True where someone can give these answers together and none of the excluded ones: each question is shown, if need be
 * after answers that lead to it, and one that takes a single answer gets no second.
 */
function canBeGiven(
  questionsByAnswer: QuestionsByAnswer,
  given: ReadonlySet<string>,
  excluded: ReadonlySet<string>,
): boolean {
  if (!given.isDisjointFrom(excluded)) return false;
  const questions = [...given].flatMap((answer) => questionsByAnswer.get(answer) ?? []);
  const single = questions.filter(({ format }) => format === 'SC');
  if (new Set(single).size < single.length) return false;
  const hidden = questions.find(({ depends_on: on }) => on.length && !on.some((answer) => given.has(answer)));
  return (
    !hidden || hidden.depends_on.some((answer) => canBeGiven(questionsByAnswer, new Set([...given, answer]), excluded))
  );
}

/** All ways to choose one condition of each list; a list without any demands nothing. */
const choices = (lists: readonly Conditions[]): Conditions[] =>
  lists
    .filter((list) => list.length)
    .reduce<Conditions[]>((ways, list) => ways.flatMap((way) => list.map((condition) => [...way, condition])), [[]]);

/**
 * Gives the test whether answers to the survey can bring something in. It takes the match conditions of the item and of
 * all that must be in too: of each list one condition must hold.
 */
export function reachability(library: Library): (...lists: readonly Conditions[]) => boolean {
  const questionsByAnswer: QuestionsByAnswer = new Map(
    questionsOf(library).flatMap((question) => answersOf(question).map(({ id }) => [id, question])),
  );
  return (...lists) =>
    choices(lists).some((conditions) =>
      canBeGiven(
        questionsByAnswer,
        new Set(conditions.flatMap(({ required }) => required)),
        new Set(conditions.flatMap(({ excluded }) => excluded)),
      ),
    );
}
