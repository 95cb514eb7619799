import { intersectionOf } from '#domain/kernel/fields/field-checks.js';
import { overlapErrors } from '#domain/library/component/component.rules.js';
import type { Kind } from '#domain/kernel/item-id.js';
import { type FieldErrors, type FieldMessages, Invalid, type DomainError } from '#domain/kernel/domain-errors.js';
import { placeholderProblems } from '#domain/library/workflow-prompt/workflow-prompt.rules.js';
import type { RowValues } from '#files/cell-value.js';
import { textOf, textsOf } from '../formats/text-of.js';

type Refused = readonly { readonly field: string | null; readonly details: string }[];

/** Rules over several fields of one item, as its command checks them. */
const RULES: Readonly<Partial<Record<Kind, { fields: readonly string[]; check: (item: RowValues) => FieldErrors }>>> = {
  component: {
    fields: ['tasks_implemented', 'tasks_introduced'],
    check: (item) => overlapErrors(intersectionOf(textsOf(item.tasks_implemented), textsOf(item.tasks_introduced))),
  },
  workflow_prompt: {
    fields: ['prompt', 'variables'],
    check: (item) => placeholderProblems(textOf(item.prompt), textsOf(item.variables)),
  },
};

/** The texts in the messages of a field, however deep: those of objects in lists are told with the whole field. */
const textsIn = (messages: FieldMessages | string): string[] =>
  typeof messages === 'string' ? [messages] : Object.values<FieldMessages | string>(messages).flatMap(textsIn);

const messagesOf = (errors: FieldErrors): Refused =>
  Object.entries(errors).flatMap(([field, messages]) =>
    textsIn(messages).map((details) => ({ field: field === 'non_field_errors' ? null : field, details })),
  );

/** What a command says of a row that it refuses. */
export function refusedFields(refusal: DomainError | undefined): Refused {
  if (refusal instanceof Invalid) return messagesOf(refusal.errors);
  return refusal ? [{ field: null, details: refusal.message }] : [];
}

/**
 * What does not fit together in an item as it would be, where any of what the rule is about changes, and none of it is
 * wrong by itself.
 */
export function refuseTogether(
  kind: Kind,
  item: () => RowValues,
  changed: readonly string[],
  wrong: ReadonlySet<string | null>,
): Refused {
  const rule = RULES[kind];
  if (!rule || !rule.fields.some((field) => changed.includes(field)) || rule.fields.some((field) => wrong.has(field)))
    return [];
  return messagesOf(rule.check(item()));
}
