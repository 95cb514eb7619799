import { answersOf, questionsOf } from '#content/library/schema/library-parts.js';
import type { Library } from '#content/library/schema/library-schema.js';
import type { MatchCondition } from '#content/library/schema/survey-shapes.js';
import { numberOf } from '#domain/kernel/item-id.js';
import { LEVEL_SIGNALS } from '#domain/projects/project-content/importance.sql.js';
import { type Condition, contentOf, matches } from './content-rule.js';

/** The content of a project with these survey answers, in a deployment with only a library. */
interface LibraryProject {
  /** Ids of its weaknesses, countermeasures with their parts, threats and components. */
  readonly items: ReadonlySet<string>;
  /** Ids of the countermeasures that components complete. */
  readonly completed: ReadonlySet<string>;
}

/** The content that answers give a project, by match conditions on answers or on attributes. */
export function projectWith(
  library: Library,
  answerIds: readonly string[],
  mode: 'answers' | 'attributes',
): LibraryProject {
  const answers = questionsOf(library).flatMap(answersOf);
  const standIn = new Map(answers.map(({ id, attributes: [own = ''] }) => [id, own]));
  const fact = (answer: string): number => numberOf(mode === 'answers' ? answer : (standIn.get(answer) ?? ''));
  const conditionsOf = (conditions: readonly MatchCondition[]): Condition[] =>
    conditions.map(({ required, excluded }) => ({ required: required.map(fact), excluded: excluded.map(fact) }));
  const conditioned = (item: { readonly id: string; readonly match_conditions: readonly MatchCondition[] }) => ({
    id: numberOf(item.id),
    active: true,
    conditions: conditionsOf(item.match_conditions),
  });

  const content = contentOf(
    {
      answers: answers.map(({ id, attributes }) => ({
        id: numberOf(id),
        active: true,
        attributes: attributes.map(numberOf),
      })),
      attributes: library.attributes.map(({ id }) => ({ id: numberOf(id), active: true })),
      components: library.components.map((component) => ({
        id: numberOf(component.id),
        hidden: false,
        answer: component.answer_mapping === null ? null : numberOf(component.answer_mapping),
        impliedAttributes: component.implied_attributes.map(numberOf),
        introduces: component.tasks_introduced.map(numberOf),
      })),
      weaknesses: library.weaknesses.map(conditioned),
      countermeasures: library.countermeasures.map((item) => ({
        ...conditioned(item),
        weakness: numberOf(item.weakness),
        level: item.level ?? 1,
      })),
      threats: library.threats.map((item) => ({ ...conditioned(item), weaknesses: item.weaknesses.map(numberOf) })),
      levels: new Map(Object.entries(LEVEL_SIGNALS).map(([id, level]) => [numberOf(id), level])),
      byAttributes: mode === 'attributes',
    },
    { answers: answerIds.map(numberOf), manualAttributes: [] },
  );

  const known = mode === 'answers' ? new Set(answerIds.map(numberOf)) : content.attributes;
  const parts = [...library.additionalRequirements, ...library.howTos].filter(
    ({ countermeasure, match_conditions: conditions }) =>
      content.countermeasures.has(numberOf(countermeasure)) && matches(conditionsOf(conditions), known),
  );
  const idsIn = (items: readonly { readonly id: string }[], numbers: ReadonlySet<number>): string[] =>
    items.map(({ id }) => id).filter((id) => numbers.has(numberOf(id)));
  const components = library.components.filter(({ id }) => content.components.has(numberOf(id)));
  return {
    items: new Set([
      ...idsIn(library.weaknesses, content.weaknesses),
      ...idsIn(library.countermeasures, content.countermeasures),
      ...idsIn(library.threats, content.threats),
      ...components.map(({ id }) => id),
      ...parts.map(({ id }) => id),
    ]),
    completed: new Set(components.flatMap(({ tasks_implemented: completed }) => completed)),
  };
}
