import { TrackerRefusal } from './issue.js';

/** The longest title that every tracker accepts. */
const MAX_TITLE_LENGTH = 255;

/**
 * A title as trackers store it: one line without control characters, cut off at the length that all of them accept.
 * Compare titles in this form.
 */
export function trackerTitle(title: string): string {
  const line = title
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (line.length <= MAX_TITLE_LENGTH) return line;
  // Half a character would be left if the cut is in a pair of surrogates.
  const start = line.slice(0, MAX_TITLE_LENGTH - 1);
  return `${start.isWellFormed() ? start : start.slice(0, -1)}…`;
}

/** A text without the control characters that databases of trackers refuse. */
export const trackerText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '');

/** Whether two names of a tracker mean the same: trackers ignore case. */
export const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The text if it is a marker: other texts could change the meaning of a query. */
export function checkedMarker(marker: string): string {
  if (!/^[a-z\d-]{1,50}$/i.test(marker)) throw new TrackerRefusal('A marker consists of letters, digits and hyphens.');
  return marker;
}
