/** Unicode code points of a slug. */
export const SLUG_MAXIMUM_LENGTH = 200;

/**
 * A title as part of an address: lower case, letters and digits of any script, words joined by `-`.
 *
 * @param title any text
 * @returns at most 200 characters; empty where the text has no letter and no digit
 */
export const slugOf = (title: string): string =>
  Array.from(
    title
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, ''),
  )
    .slice(0, SLUG_MAXIMUM_LENGTH)
    .join('');
