import { type Kind, LETTERS } from '#domain/kernel/item-id.js';
import { LONGEST_LINE } from '#domain/kernel/text-limits.js';
import { line, list, matching, type Shape } from './shape.js';

/** Public ids of content that ships: never with the `C` of an organization's own. */
export const itemId = (kind: Kind): Shape<string> =>
  matching(new RegExp(`^${LETTERS[kind]}[1-9]\\d{0,8}$`), `an id such as ${LETTERS[kind]}12`);
export const title = line(LONGEST_LINE);
export const name = line(100);
export const slug = matching(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case words with hyphens between them');
export const names = list(name, { distinct: true });
