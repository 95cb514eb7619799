import { line } from './fields.js';

/** Unicode code points of a slug. */
export const SLUG_MAXIMUM_LENGTH = 200;

/** The slug of an item that a file may name. */
export const slug = line({ maximum: SLUG_MAXIMUM_LENGTH, blank: true, optional: true });

/**
 * A title as part of an address: lower case, letters and digits of any script, words joined by `-`.
 *
 * @param title any text
 * @param otherwise for a title without letters and digits
 * @returns at most 200 characters of the title
 */
export function slugOf(title: string, otherwise: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return Array.from(words).slice(0, SLUG_MAXIMUM_LENGTH).join('') || otherwise;
}

/** The same, of which no other of its kind has it: with a number behind it where it is taken. */
export function freeSlug(taken: ReadonlySet<string>, title: string, otherwise: string): string {
  const wanted = slugOf(title, otherwise);
  if (!taken.has(wanted)) return wanted;
  let count = 2;
  while (taken.has(`${wanted}-${count}`)) count += 1;
  return `${wanted}-${count}`;
}
