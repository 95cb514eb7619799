import { repeatedId } from '../../kernel/fields/field-checks.js';
import type { FieldErrors } from '../../kernel/domain-errors.js';
import type { BuiltInRules } from '../item-batch/built-in-rules.js';
import type { QuestionnaireEntry } from './component-question.fields.js';

/** The icon of components without an icon. */
export const DEFAULT_ICON = 'mui-hub';

export const BUILT_IN_COMPONENT = {
  fixed: {
    icon_slug: "The icon of built-in components can't be changed.",
    implied_attributes: "The attributes of built-in components can't be changed.",
  },
} satisfies BuiltInRules;

/** Validation errors of an entry of a questionnaire: messages by field. */
export type QuestionnaireEntryErrors = Partial<Record<keyof QuestionnaireEntry, string[]>>;

/** Validation errors for countermeasures (public ids) that are both implemented and introduced. */
export const overlapErrors = (both: readonly string[]): FieldErrors =>
  both.length
    ? { non_field_errors: both.map((id) => `"${id}" is in both tasks_implemented and tasks_introduced.`) }
    : {};

/**
 * Validation errors of the entries of a questionnaire whose questions and answers exist; `questionOf` returns the
 * question that an answer belongs to. Each question appears once, is unlocked by an answer to another question of the
 * questionnaire, and does not depend on itself.
 */
export function questionnaireErrors(
  entries: readonly QuestionnaireEntry[],
  questionOf: (answer: string) => string | undefined,
): QuestionnaireEntryErrors[] {
  const opener = new Map(
    entries.map(({ question, parent_answer: answer }) => [question, answer ? questionOf(answer) : undefined]),
  );
  const circular = questionsOnCircles(opener);
  const seenIds = new Set<string>();
  return entries.map(({ question, parent_answer: answer }): QuestionnaireEntryErrors => {
    const errors: QuestionnaireEntryErrors = {};
    if (seenIds.has(question)) errors.question = [repeatedId(question)];
    seenIds.add(question);
    const parent = answer ? questionOf(answer) : undefined;
    if (answer && (parent === undefined || !opener.has(parent)))
      errors.parent_answer = [`"${answer}" does not belong to a question of this questionnaire.`];
    else if (answer && circular.has(question))
      errors.parent_answer = [`"${question}" would only be asked after itself.`];
    return errors;
  });
}

/** Questions that depend on themselves, directly or indirectly. */
function questionsOnCircles(opener: ReadonlyMap<string, string | undefined>): Set<string> {
  const circular = new Set<string>();
  const done = new Set<string>();
  for (const start of opener.keys()) {
    const path: string[] = [];
    let current: string | undefined = start;
    while (current !== undefined && !done.has(current) && opener.has(current)) {
      done.add(current);
      path.push(current);
      current = opener.get(current);
    }
    const circle = current === undefined ? -1 : path.indexOf(current);
    if (circle >= 0) for (const question of path.slice(circle)) circular.add(question);
  }
  return circular;
}
