import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { Archive } from '../archives/archive.js';
import { unreadable } from '../invalid-files.js';
import { LIMITS, mebibytes } from '../limits.js';
import { utf8 } from '../utf8.js';
import { columnOf, SheetFacts } from './sheet-facts.js';

/** Maximum number of characters between two tags: more than any cell can have, in any encoding. */
const MAX_LENGTH = 2 ** 20;

const TOO_LONG = `a text or tag is larger than ${mebibytes(MAX_LENGTH)}.`;

/** Maximum nesting of elements: far more than spreadsheets have. */
const MAX_DEPTH = 64;

/** The maximum number of an element in a spreadsheet, and its name in messages. */
const MOST: Readonly<Record<string, readonly [most: number, what: string]>> = {
  sheet: [LIMITS.spreadsheetSheets, 'sheets'],
  si: [LIMITS.spreadsheetTexts, 'texts'],
  xf: [LIMITS.spreadsheetFormats, 'formats'],
  numFmt: [LIMITS.spreadsheetFormats, 'formats'],
};

/** The maximum size of a part in bytes, by its root element; all other parts are kept in memory. */
const LARGEST: Readonly<Record<string, number>> = {
  worksheet: LIMITS.spreadsheetUnpacked,
  sst: LIMITS.spreadsheetTextPart,
};

const MISSING_TEXT = 'A cell refers to a text that does not exist.';

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Values that are collected across all parts. */
interface Totals {
  readonly counts: Map<string, number>;
  /** The highest index of a shared text that a cell refers to. */
  lastText: number;
  /** The cells of all rows, each up to its last cell. */
  cells: number;
  readonly facts: SheetFacts;
}

/**
 * Checks every part of a spreadsheet before the library reads it: the library keeps what it reads in memory, treats a
 * reference to a missing shared text as an empty cell, and adds phonetic texts to a cell's text. Returns what the
 * library does not tell. Throws `InvalidFiles`.
 */
export async function guardSpreadsheet(file: string, archive: Archive): Promise<SheetFacts> {
  const facts = new SheetFacts(file);
  const totals: Totals = { counts: new Map(), lastText: -1, cells: 0, facts };
  const check = async (isNext: (part: string) => boolean): Promise<void> => {
    for (const part of archive.names)
      if (/\.(?:xml|rels)$/i.test(part) && isNext(part)) await new PartGuard(file, part, archive, totals).check();
  };
  // Relationships tell which part has the formats, and these come before the cells that use them.
  const isRelationships = (part: string): boolean => /\.rels$/i.test(part);
  await check(isRelationships);
  await check((part) => !isRelationships(part) && facts.hasFormats(part));
  await check((part) => !isRelationships(part) && !facts.hasFormats(part));
  if (totals.lastText >= (totals.counts.get('si') ?? 0)) throw unreadable(file, MISSING_TEXT);
  return facts;
}

class PartGuard {
  private readonly open: string[] = [];
  private size = 0;
  private sinceTag = 0;
  private rowSize = 0;
  /** The column of the latest cell, and the last column of the row so far, counted from 1. */
  private column = 0;
  private lastColumn = 0;
  private type: string | undefined;
  private hasRuns = false;

  constructor(
    private readonly file: string,
    private readonly part: string,
    private readonly archive: Archive,
    private readonly totals: Totals,
  ) {}

  async check(): Promise<void> {
    const parser = new SaxesParser({ xmlns: false, position: false });
    parser.on('doctype', () => {
      throw unreadable(this.file, 'The spreadsheet declares entities, which is not allowed.');
    });
    parser.on('error', ({ message }) => {
      throw this.invalid(message);
    });
    parser.on('opentag', (tag) => this.opened(tag));
    parser.on('text', (text) => this.text(text));
    parser.on('cdata', (text) => this.text(text));
    parser.on('closetag', () => {
      this.sinceTag = 0;
      this.closed(this.open.pop() ?? '');
    });
    for await (const text of utf8(this.file, this.archive.read(this.part))) {
      this.size += text.length;
      this.sinceTag += text.length;
      parser.write(text);
      if (this.sinceTag > MAX_LENGTH + text.length) throw this.invalid(TOO_LONG);
    }
    parser.close();
  }

  private opened({ name: written, attributes }: SaxesTagPlain): void {
    const name = localName(written);
    this.sinceTag = 0;
    this.open.push(name);
    if (this.open.length > MAX_DEPTH) throw this.invalid(`elements are nested deeper than ${MAX_DEPTH} levels.`);
    const largest = LARGEST[this.open[0] ?? ''] ?? LIMITS.spreadsheetPart;
    if (this.archive.sizeOf(this.part) > largest)
      throw unreadable(
        this.file,
        `The spreadsheet's part "${this.part}" is larger than ${mebibytes(largest)}. Choose another format.`,
      );
    this.count(name);
    if (name === 'row') this.openRow();
    if (name === 'c') this.openCell(attributes);
    if (name === 'r') this.hasRuns = true;
    if (name === 'rPh' && !this.hasRuns && this.open.includes('is'))
      throw this.invalid('a cell has its own phonetic text.');
    if (name === 'Relationship') this.checkTarget(attributes);
    this.totals.facts.opened(this.part, name, attributes, this.open);
  }

  /** Checks the index of a shared text. It may arrive in several pieces, for example around a comment. */
  private closed(name: string): void {
    const cell = this.totals.facts.closed(this.part, name);
    if (cell?.type !== 's' || cell.text === '') return;
    const index = cell.text.trim();
    if (!/^\d{1,9}$/.test(index)) throw unreadable(this.file, MISSING_TEXT);
    this.totals.lastText = Math.max(this.totals.lastText, Number(index));
  }

  private openRow(): void {
    this.rowSize = 0;
    this.column = 0;
    this.lastColumn = 0;
  }

  private openCell({ r: reference, t: type }: Readonly<Record<string, string>>): void {
    if (reference !== undefined && !/^[A-Z]{1,3}[0-9]+$/.test(reference))
      throw this.invalid('a cell is outside the columns A to XFD.');
    this.type = type;
    this.hasRuns = false;
    this.column = reference === undefined ? this.column + 1 : columnOf(reference);
    if (this.column <= this.lastColumn) return;
    this.totals.cells += this.column - this.lastColumn;
    this.lastColumn = this.column;
    if (this.totals.cells > LIMITS.spreadsheetCells)
      throw unreadable(
        this.file,
        `The rows of the spreadsheet extend over more than ${LIMITS.spreadsheetCells} cells. Delete empty columns ` +
          'and rows, or choose another format.',
      );
  }

  private count(name: string): void {
    const [maximum, what] = MOST[name] ?? [];
    if (maximum === undefined) return;
    const count = (this.totals.counts.get(name) ?? 0) + 1;
    this.totals.counts.set(name, count);
    if (count > maximum) throw this.invalid(`there are more than ${maximum} ${what}.`);
  }

  /** Only parts that this guard has checked may be read. */
  private checkTarget({ Type: type = '', Target: target = '' }: Readonly<Record<string, string>>): void {
    if (/\/(?:officeDocument|worksheet|sharedStrings|styles)$/.test(type) && !/\.xml$/i.test(target))
      throw this.invalid(`"${target.slice(0, 100)}" is not XML.`);
  }

  private text(text: string): void {
    this.rowSize += text.length;
    if (this.rowSize > LIMITS.row && this.open.includes('row'))
      throw unreadable(this.file, `A row is larger than ${mebibytes(LIMITS.row)}.`);
    if (text.length > MAX_LENGTH) throw this.invalid(TOO_LONG);
    const parent = this.open.at(-1);
    this.totals.facts.text(parent, text);
    if (parent === 'v' && this.type !== 'str' && text.trim() === '')
      throw this.invalid('the value of a cell is blank.');
  }

  private invalid(reason: string): Error {
    return unreadable(this.file, `The file is not a readable spreadsheet: in ${this.part}, ${reason}`);
  }
}
