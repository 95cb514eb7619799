import { questionnaireErrors } from '#domain/library/component/component.rules.js';
import type { CellValue } from '#files/cell-value.js';
import { entriesOf } from './nested-values.js';
import { textOf } from '../formats/text-of.js';

/** Errors in a questionnaire whose questions and answers all exist. */
export function questionnaireMessages(value: CellValue, questionOf: (answer: string) => string | undefined): string[] {
  const entries = entriesOf(value).map(({ question, parent_answer: answer }) => ({
    question: textOf(question),
    parent_answer: typeof answer === 'string' ? answer : null,
  }));
  return questionnaireErrors(entries, questionOf).flatMap((errors, index) =>
    Object.values(errors).flatMap((messages) => messages.map((message) => `Entry ${index + 1}: ${message}`)),
  );
}
