import { line } from './fields.js';

/** Unicode code points of a slug. */
export const MAX_SLUG_LENGTH = 200;

/** The form of slugs of built-in content and icons: words in lower case, joined by hyphens. */
export const SIMPLE_SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Marks that a slug leaves out. In other scripts, marks are part of a letter: か and が are different. */
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}])\p{M}+/gu;
const MARKS_WITHOUT_LETTER = /(?<![\p{L}\p{N}\p{M}])\p{M}+/gu;

/** The slug of an item in an exchange file. */
export const slug = line({ maximum: MAX_SLUG_LENGTH, blank: true, optional: true });

/**
 * Turns a title into a slug: lower case, letters and digits of any script, without accents, words joined by `-`.
 *
 * @param otherwise the slug of a title without letters and digits
 * @returns at most 200 characters
 */
export function slugOf(title: string, otherwise: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '$1')
    .replace(MARKS_WITHOUT_LETTER, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .normalize('NFC');
  return Array.from(words).slice(0, MAX_SLUG_LENGTH).join('') || otherwise;
}

/** Like `slugOf`, with a numeric suffix if the slug is already taken. */
export function slugNotIn(usedSlugs: ReadonlySet<string>, title: string, otherwise: string): string {
  const slug = slugOf(title, otherwise);
  if (!usedSlugs.has(slug)) return slug;
  let count = 2;
  while (usedSlugs.has(`${slug}-${count}`)) count += 1;
  return `${slug}-${count}`;
}
