import type { FieldErrors } from '../../kernel/domain-errors.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';

/** The kind of item that a prompt is for. */
export const PROMPT_TYPES = ['survey', 'countermeasure', 'weakness', 'threat', 'report'] as const;

/** The content of a context: a library item, a project, or a text. */
export const CONTENT_TYPES = ['library_item', 'project', 'text'] as const;

/** Bounds of the ordinals of a prompt's contexts. */
export const CONTEXT_ORDINAL = { minimum: 0, maximum: 1_000_000 };

/** The distinct placeholders of a prompt that are not declared: `project` for `{{ project }}`. */
export function undeclaredPlaceholders(prompt: string, variables: readonly string[]): string[] {
  const declared = new Set(variables);
  const used = [...prompt.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = '']) => name.trim());
  return [...new Set(used)].filter((name) => !declared.has(name));
}

/** An error for each placeholder that no variable declares. */
export function placeholderMessages(prompt: string, variables: readonly string[]): FieldErrors {
  const undeclared = undeclaredPlaceholders(prompt, cleanTexts(variables));
  const errors = undeclared.map((name) => `The placeholder "{{${name}}}" is not declared in "variables".`);
  return errors.length ? { non_field_errors: errors } : {};
}
