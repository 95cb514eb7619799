import { answersOf, questionsOf, type Rule } from '#content/library/schema/library-parts.js';
import type { Library } from '#content/library/schema/library-schema.js';
import type { MatchCondition } from '#content/library/schema/survey-shapes.js';

interface Conditioned {
  readonly match_conditions: readonly MatchCondition[];
}

const appliesTo = ({ match_conditions: conditions }: Conditioned, answerIds: ReadonlySet<string>): boolean =>
  !conditions.length ||
  conditions.some(
    ({ required, excluded }) =>
      required.every((answer) => answerIds.has(answer)) && !excluded.some((answer) => answerIds.has(answer)),
  );

/**
 * Returns a function that extends a set of answers with the answers that make their questions visible. There may be
 * several ways, so it returns several sets.
 */
function answerSetsContaining(library: Library): (answers: readonly string[]) => ReadonlySet<string>[] {
  const prerequisitesOf = new Map(
    questionsOf(library).flatMap((question) => answersOf(question).map(({ id }) => [id, question.depends_on])),
  );
  const ways = (answerIds: ReadonlySet<string>): ReadonlySet<string>[] => {
    const hidden = [...answerIds]
      .map((answer) => prerequisitesOf.get(answer) ?? [])
      .find((on) => on.length && !on.some((answer) => answerIds.has(answer)));
    return hidden ? hidden.flatMap((answer) => ways(new Set([...answerIds, answer]))) : [answerIds];
  };
  return (answers) => ways(new Set(answers));
}

/** A countermeasure applies only if its weakness does, so a condition that can be met without the weakness misleads. */
const conditionsImplyTheWeakness: Rule = (library) => {
  const ways = answerSetsContaining(library);
  const weaknesses = new Map(library.weaknesses.map((weakness) => [weakness.id, weakness]));
  return library.countermeasures.flatMap(({ id, weakness, match_conditions: conditions }) => {
    const owner = weaknesses.get(weakness);
    return conditions
      .filter(({ required }) => owner && !ways(required).every((answerIds) => appliesTo(owner, answerIds)))
      .map((condition) => `${condition.id} of ${id} holds where weakness ${weakness} does not apply`);
  });
};

/** A weakness that applies without any countermeasure leaves a team with nothing to do about it. */
const weaknessesHaveApplicableCountermeasures: Rule = (library) => {
  const ways = answerSetsContaining(library);
  const countermeasures = Map.groupBy(library.countermeasures, ({ weakness }) => weakness);
  return library.weaknesses.flatMap(({ id, match_conditions: conditions }) =>
    conditions
      .filter(
        ({ required }) =>
          !ways(required).every((answerIds) => countermeasures.get(id)?.some((item) => appliesTo(item, answerIds))),
      )
      .map((condition) => `${condition.id} of ${id} adds none of its countermeasures`),
  );
};

/**
 * Answers that describe how a team works rather than a risk: the company network, own passwords, cookies, own encryption,
 * uploads, XML interfaces and own operation. They are tempting as conditions of countermeasures that others need too.
 */
const HABITS: ReadonlySet<string> = new Set(['A15', 'A21', 'A26', 'A39', 'A41', 'A51', 'A88']);

/** A condition on a habit is right only if the habit is the cause of the risk, which a reviewer can judge from a sentence. */
const conditionsOnHabitsStateTheirCause: Rule = ({ countermeasures }) =>
  countermeasures.flatMap(({ id, match_conditions: conditions }) =>
    conditions
      .filter(({ required, because }) => because === undefined && required.some((answer) => HABITS.has(answer)))
      .map((condition) => `${condition.id} of ${id} requires a habit of delivery without stating the cause (because)`),
  );

/** Rules for the match conditions of weaknesses and their countermeasures. */
export const CONDITION_RULES: readonly Rule[] = [
  conditionsImplyTheWeakness,
  weaknessesHaveApplicableCountermeasures,
  conditionsOnHabitsStateTheirCause,
];
