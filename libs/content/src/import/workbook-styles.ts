import { attributesOf, type XmlHandler } from './xml-reader.js';

const DAY = 86_400_000;

/** Numbers of formats that have no code: dates and times, also those of East Asia. */
const DATES: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** What stands in the code of a format beside what it shows of a number: texts, colours, currencies, blanks. */
const BESIDE = /"[^"]*"|\\.|[_*].|\[[^\]]*\]/g;

/** Whether a format shows a number as a date or a time. */
const isDate = (code: string): boolean =>
  /\[[hms]+\]/i.test(code) || /[ymdhs]/i.test(code.replace(BESIDE, '').replace(/general|standard/gi, ''));

/** Finds out which styles show a number as a date. */
export class WorkbookStyles implements XmlHandler {
  private readonly codes = new Map<number, string>();
  /** The formats of the styles of cells, in their order. */
  private readonly formats: number[] = [];
  /** Other lists have formats too: of conditions, and of styles that cells are made after. */
  private list = '';

  open(name: string, written: string): void {
    if (name === 'numFmts' || name === 'cellXfs') this.list = name;
    const attributes = attributesOf(written);
    const format = Number(attributes.get('numFmtId') ?? 0);
    if (name === 'xf' && this.list === 'cellXfs') this.formats.push(format);
    if (name === 'numFmt' && this.list === 'numFmts') this.codes.set(format, attributes.get('formatCode') ?? '');
  }

  close(name: string): void {
    if (name === this.list) this.list = '';
  }

  /** Whether cells of this style show dates. */
  isDate(style: number): boolean {
    const format = this.formats[style] ?? 0;
    const code = this.codes.get(format);
    return code === undefined ? DATES.some(([from, to]) => format >= from && format <= to) : isDate(code);
  }
}

/**
 * The date that a number stands for: days since the end of 1899, or since the beginning of 1904. Spreadsheets take 1900 for a
 * leap year. Undefined where there is no such date.
 */
export function dateOf(days: number, since1904: boolean): string | undefined {
  const start = since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const date = new Date(start + Math.round(days * DAY));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
