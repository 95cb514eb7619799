import type { FieldErrors } from '../../kernel/domain-errors.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';

/** What a prompt is made for. */
export const PROMPT_TYPES = ['survey', 'countermeasure', 'weakness', 'threat', 'report'] as const;

/** What a context brings: an item of the library, a project, or a text of its own. */
export const CONTENT_TYPES = ['library_item', 'project', 'text'] as const;

/** Places of a prompt's contexts. */
export const CONTEXT_ORDINAL = { minimum: 0, maximum: 1_000_000 };

/** The placeholders of a prompt that are not declared, each once: `project` for `{{ project }}`. */
export function undeclaredPlaceholders(prompt: string, variables: readonly string[]): string[] {
  const declared = new Set(variables);
  const used = [...prompt.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = '']) => name.trim());
  return [...new Set(used)].filter((name) => !declared.has(name));
}

/** An error for each placeholder that no variable declares. */
export function placeholderProblems(prompt: string, variables: readonly string[]): FieldErrors {
  const undeclared = undeclaredPlaceholders(prompt, cleanTexts(variables));
  const problems = undeclared.map((name) => `The placeholder "{{${name}}}" is not declared in "variables".`);
  return problems.length ? { non_field_errors: problems } : {};
}
