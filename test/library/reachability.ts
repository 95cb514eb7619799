import { answersOf, questionsOf } from '#content/library/schema/library-parts.js';
import type { Library } from '#content/library/schema/library-schema.js';
import type { MatchCondition, Question } from '#content/library/schema/survey-shapes.js';

type Conditions = readonly MatchCondition[];
type QuestionsByAnswer = ReadonlyMap<string, Question>;

/**
 * Whether one person can give all these answers and none of the excluded ones: every question must be visible, if
 * necessary after further answers, and a single-choice question has at most one answer.
 */
function canBeGiven(
  questionsByAnswer: QuestionsByAnswer,
  answerIds: ReadonlySet<string>,
  excluded: ReadonlySet<string>,
): boolean {
  if (!answerIds.isDisjointFrom(excluded)) return false;
  const questions = [...answerIds].flatMap((answer) => questionsByAnswer.get(answer) ?? []);
  const single = questions.filter(({ format }) => format === 'SC');
  if (new Set(single).size < single.length) return false;
  const hidden = questions.find(({ depends_on: on }) => on.length && !on.some((answer) => answerIds.has(answer)));
  return (
    !hidden ||
    hidden.depends_on.some((answer) => canBeGiven(questionsByAnswer, new Set([...answerIds, answer]), excluded))
  );
}

/** All ways to choose one condition from each list; an empty list requires nothing. */
const choices = (lists: readonly Conditions[]): Conditions[] =>
  lists
    .filter((list) => list.length)
    .reduce<Conditions[]>((ways, list) => ways.flatMap((way) => list.map((condition) => [...way, condition])), [[]]);

/**
 * Returns a test whether survey answers can make an item applicable. It takes the match conditions of the item and
 * those of the items that it depends on: one condition of each list must be met.
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
