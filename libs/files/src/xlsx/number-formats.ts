/** How a spreadsheet shows a number that is not shown as a number. */
export type Shown = 'date' | 'time' | 'duration';

/** The limit of Excel. Longer codes are not taken for formats of dates. */
const MAX_CODE_LENGTH = 255;

/** Formats without a code in the file, by number. Those of East Asian calendars are dates, too. */
const BUILT_IN: readonly (readonly [first: number, last: number, shown: Shown])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date'],
  [27, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'duration'],
  [47, 47, 'time'],
  [50, 58, 'date'],
];

/**
 * Parts of a format code that are shown as they are, or only choose a color or a language. A part that is not closed
 * ends with the code, so that each character is read once.
 */
const LITERAL = /"[^"]*(?:"|$)|[\\_*].|\[(?![hms]+\])[^\]]*(?:\]|$)/gi;

const ofCode = (code: string): Shown | undefined => {
  if (code.length > MAX_CODE_LENGTH) return undefined;
  const [first = ''] = code.replace(LITERAL, '').toLowerCase().split(';');
  if (/\[[hms]+\]/.test(first)) return 'duration';
  if (/[yd]/.test(first)) return 'date';
  if (/[hs]/.test(first)) return 'time';
  return /m/.test(first) ? 'date' : undefined;
};

/** How the format with a number, and possibly a code, shows a number; undefined as a number. */
export const shownBy = (format: number, code: string | undefined): Shown | undefined =>
  code === undefined ? BUILT_IN.find(([first, last]) => format >= first && format <= last)?.[2] : ofCode(code);

const SECONDS_OF_DAY = 86_400;
/** The numbers after 9999-12-31, the last date that spreadsheets show. */
const AFTER_LAST_DATE = { 1900: 2_958_466, 1904: 2_957_004 } as const;

const two = (number: number): string => String(number).padStart(2, '0');

const clock = (seconds: number): string =>
  `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;

/** A number as the time or duration that a spreadsheet shows; undefined if it shows a date. */
export function timeOf(days: number, shown: Shown): string | undefined {
  const seconds = Math.round(days * SECONDS_OF_DAY);
  if (shown === 'duration') return clock(seconds);
  // There is no day before day 1, so only the time counts.
  return shown === 'time' || (days > 0 && days < 1) ? clock(seconds % SECONDS_OF_DAY) : undefined;
}

/** Whether a spreadsheet can show a number in this way; otherwise it fills the cell with `#`. */
export const isShowable = (days: number, shown: Shown, system: keyof typeof AFTER_LAST_DATE): boolean =>
  days >= 0 && (shown === 'duration' || days < AFTER_LAST_DATE[system]);

/** A date in ISO 8601, as some workbooks contain it, without a time of day that is midnight. */
export const withoutMidnight = (date: string): string => date.replace(/T00:00(?::00(?:\.0{1,9})?)?Z?$/, '');

/** A date in UTC as a date in ISO 8601, with a time of day if it has one. Spreadsheets know no time zones. */
export function isoDate(date: Date): string {
  const rounded = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().slice(0, 19);
  return rounded.endsWith('T00:00:00') ? rounded.slice(0, 10) : rounded;
}
