import { LIMITS } from '../limits.js';
import { attributesOf, type XmlHandler, XmlProblem } from './xml-reader.js';

const DAY = 86_400_000;

/** Numbers of formats that have no code: dates and times, also those of East Asia. */
const DATES: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** What stands in the code of a format beside what it shows of a number: texts, colours, currencies, blanks. */
const BESIDE = /"[^"]*"|\\.|[_*].|\[[^[\]]*\]/g;

/** Characters of the code of a format that Excel takes; a longer one is not looked at. */
const LONGEST_CODE = 255;

/** Whether a format shows a number as a date or a time. */
const showsDate = (code: string): boolean =>
  code.length <= LONGEST_CODE &&
  (/\[[hms]+\]/i.test(code) || /[ymdhs]/i.test(code.replace(BESIDE, '').replace(/general|standard/gi, '')));

/** Finds out which styles show a number as a date. */
export class WorkbookStyles implements XmlHandler {
  /** Whether the formats that have a code are such, by their number. */
  private readonly dates = new Map<number, boolean>();
  /** The formats of the styles of cells, in their order. */
  private readonly formats: number[] = [];
  /** Other lists have formats too: of conditions, and of styles that cells are made after. */
  private list = '';

  open(name: string, written: string): void {
    if (name === 'numFmts' || name === 'cellXfs') this.list = name;
    const attributes = attributesOf(written);
    const format = Number(attributes.get('numFmtId') ?? 0);
    if (name === 'xf' && this.list === 'cellXfs') this.formats.push(format);
    if (name === 'numFmt' && this.list === 'numFmts')
      this.dates.set(format, showsDate(attributes.get('formatCode') ?? ''));
    if (Math.max(this.formats.length, this.dates.size) > LIMITS.spreadsheetFormats)
      throw new XmlProblem(`there are more than ${LIMITS.spreadsheetFormats} formats.`);
  }

  close(name: string): void {
    if (name === this.list) this.list = '';
  }

  /** Whether cells of this style show dates. */
  isDate(style: number): boolean {
    const format = this.formats[style] ?? 0;
    return this.dates.get(format) ?? DATES.some(([from, to]) => format >= from && format <= to);
  }
}

/**
 * The date that a number stands for: days since the end of 1899, or since the beginning of 1904. Spreadsheets take 1900
 * for a leap year. Undefined where there is no such date.
 */
export function dateOf(days: number, since1904: boolean): string | undefined {
  const start = since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const date = new Date(start + Math.round(days * DAY));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
