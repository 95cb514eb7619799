import { answersOf, questionsOf } from '#content/library/schema/library-parts.js';
import type { Library } from '#content/library/schema/library-schema.js';

/**
 * Returns lines that list each countermeasure with the answers that add it, by their short texts, and the cause that the
 * condition states, so that a reviewer can judge them without knowing the ids.
 */
export function conditionReport(library: Library): string[] {
  const texts = new Map(
    questionsOf(library)
      .flatMap(answersOf)
      .map(({ id, display_text: text }) => [id, text]),
  );
  const words = (answers: readonly string[], separator: string) =>
    answers.map((answer) => texts.get(answer) ?? answer).join(separator);
  return library.countermeasures.flatMap(({ id, title, match_conditions: conditions }) => [
    `${id} ${title}`,
    ...(conditions.length ? [] : ['  always']),
    ...conditions.map(
      ({ required, excluded, because }) =>
        `  ${words(required, ' + ')}` +
        (excluded.length ? `, without ${words(excluded, ' or ')}` : '') +
        (because === undefined ? '' : `: ${because}`),
    ),
  ]);
}
