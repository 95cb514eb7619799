import { inBoth, overlapErrors } from '#domain/library/component/component.rules.js';
import type { Kind } from '#domain/kernel/item-id.js';
import { type FieldErrors, Invalid } from '#domain/kernel/domain-errors.js';
import { assertDeclaredVariables } from '#domain/library/workflow-prompt/workflow-prompt.rules.js';
import type { RowValues } from '#files/cell-value.js';
import { textOf, textsOf } from '../formats/text-of.js';

type Refused = readonly { readonly field: string | null; readonly details: string }[];

/** Rules over several fields of one item: they throw what the API would answer. */
const RULES: Readonly<Partial<Record<Kind, { fields: readonly string[]; check: (item: RowValues) => void }>>> = {
  component: {
    fields: ['tasks_implemented', 'tasks_introduced'],
    check: (item) => {
      const errors = overlapErrors(inBoth(textsOf(item.tasks_implemented), textsOf(item.tasks_introduced)));
      if (Object.keys(errors).length) throw new Invalid(errors);
    },
  },
  workflow_prompt: {
    fields: ['prompt', 'variables'],
    check: (item) => assertDeclaredVariables({ prompt: textOf(item.prompt), variables: textsOf(item.variables) }),
  },
};

const messagesOf = (errors: FieldErrors): Refused =>
  Object.entries(errors).flatMap(([field, messages]) =>
    (Array.isArray(messages) ? messages : [messages]).map((message) => ({
      field: field === 'non_field_errors' ? null : field,
      details: typeof message === 'string' ? message : JSON.stringify(message),
    })),
  );

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
  try {
    rule.check(item());
    return [];
  } catch (error) {
    if (error instanceof Invalid) return messagesOf(error.errors);
    throw error;
  }
}
