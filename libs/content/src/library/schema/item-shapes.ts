import { type Kind, LETTERS } from '#domain/kernel/item-id.js';
import { SIMPLE_SLUG } from '#domain/kernel/fields/slug.js';
import { MAX_LINE_LENGTH } from '#domain/kernel/fields/field-checks.js';
import { isDay, isReference, MAX_REFERENCE_LENGTH } from '#domain/library/item-reference/item-reference.rules.js';
import { line, lineThat, list, matching, type Shape } from './shape.js';

/** Public ids of built-in content, which have no `C` for "custom". */
export const itemId = (kind: Kind): Shape<string> =>
  matching(new RegExp(`^${LETTERS[kind]}[1-9]\\d{0,8}$`), `an id such as ${LETTERS[kind]}12`);
export const title = line(MAX_LINE_LENGTH);
export const name = line(100);
export const slug = matching(SIMPLE_SLUG, 'lower-case words with hyphens between them');
export const names = list(name, { distinct: true });

/** The sources of a text, and when it was last reviewed against them. */
export const provenance = {
  references: list(
    lineThat(isReference, MAX_REFERENCE_LENGTH, 'a reference such as cwe:79, rfc:9700:4.1 or the title of a document'),
    { distinct: true },
  ),
  reviewed_at: lineThat(isDay, 10, 'a date such as 2026-11-23'),
};

/** The sources and the review date of an item. */
export interface Provenance {
  readonly references?: readonly string[];
  readonly reviewed_at?: string;
}
