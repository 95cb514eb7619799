import { intersectionOf } from '#domain/kernel/fields/field-checks.js';
import { overlapErrors } from '#domain/library/component/component.rules.js';
import type { Kind } from '#domain/kernel/item-id.js';
import { type FieldErrors, type FieldMessages, Invalid, type DomainError } from '#domain/kernel/domain-errors.js';
import { targetErrors } from '#domain/library/rule-mapping/rule-mapping.rules.js';
import { placeholderMessages } from '#domain/library/workflow-prompt/workflow-prompt.rules.js';
import { type RowValues, textOf, textsOf } from '#files/cell-value.js';

type RowErrors = readonly { readonly field: string | null; readonly details: string }[];

/** Rules that span several fields of one item; its command checks the same ones. */
const RULES: Readonly<Partial<Record<Kind, { fields: readonly string[]; check: (item: RowValues) => FieldErrors }>>> = {
  component: {
    fields: ['tasks_implemented', 'tasks_introduced'],
    check: (item) => overlapErrors(intersectionOf(textsOf(item.tasks_implemented), textsOf(item.tasks_introduced))),
  },
  workflow_prompt: {
    fields: ['prompt', 'variables'],
    check: (item) => placeholderMessages(textOf(item.prompt), textsOf(item.variables)),
  },
  // An import leaves a field that a row lacks as it is, so a row that replaces one of the two must clear the other.
  rule_mapping: { fields: ['cwe', 'weakness'], check: targetErrors },
};

/** Flattens the messages of a field: an import reports errors of nested objects for the whole field. */
const textsIn = (messages: FieldMessages | string): string[] =>
  typeof messages === 'string' ? [messages] : Object.values<FieldMessages | string>(messages).flatMap(textsIn);

const messagesOf = (errors: FieldErrors): RowErrors =>
  Object.entries(errors).flatMap(([field, messages]) =>
    textsIn(messages).map((details) => ({ field: field === 'non_field_errors' ? null : field, details })),
  );

/** The messages of a command's error by field. */
export function rowErrorsOf(error: DomainError | undefined): RowErrors {
  if (error instanceof Invalid) return messagesOf(error.errors);
  return error ? [{ field: null, details: error.message }] : [];
}

/**
 * Checks the rules that involve a changed field on the item as it would be, unless one of their fields is invalid
 * already.
 */
export function errorsAcrossFields(
  kind: Kind,
  item: () => RowValues,
  changedFields: readonly string[],
  invalidFields: ReadonlySet<string | null>,
): RowErrors {
  const rule = RULES[kind];
  if (
    !rule ||
    !rule.fields.some((field) => changedFields.includes(field)) ||
    rule.fields.some((field) => invalidFields.has(field))
  )
    return [];
  return messagesOf(rule.check(item()));
}
