import { unreadable } from '../import-failure.js';
import { LIMITS, mebibytes } from '../limits.js';
import { SheetText, unescaped } from './sheet-text.js';
import { eachAttribute, type XmlHandler, XmlReader } from './xml-reader.js';

/** What a cell holds. A date is a text in ISO 8601. */
export type SheetValue = string | number | boolean;

/** A row of a sheet. */
export interface SheetRow {
  /** As a person counts. */
  readonly number: number;
  /** By column. Those of empty cells are left out. */
  readonly values: readonly (SheetValue | undefined)[];
}

/** What the cells of a workbook refer to. */
export interface CellContext {
  /** The texts that cells share. */
  readonly texts: readonly string[];
  /** The date that a number stands for in a cell of this style; undefined where it is a number. */
  readonly dateOf: (number: number, style: number) => string | undefined;
}

const A = 0x41;
const Z = 0x5a;

/** The column of a cell such as `AB12`, from 0; -1 where it names none. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at);
    if (letter < A || letter > Z) break;
    column = column * 26 + letter - A + 1;
  }
  return column - 1;
}

/** Tells the rows of a sheet apart. */
export class SheetRows implements XmlHandler {
  private readonly xml: XmlReader;
  private readonly inline = new SheetText();
  private rows: SheetRow[] = [];
  private isData = false;
  private number = 0;
  private values: (SheetValue | undefined)[] = [];
  private size = 0;
  private column = -1;
  private type = '';
  private style = 0;
  private value = '';
  private isValue = false;

  /** @param part where the sheet stands in its file, for errors */
  constructor(
    private readonly file: string,
    part: string,
    private readonly context: CellContext,
  ) {
    this.xml = new XmlReader(file, part, this);
  }

  /** The rows that end in this piece. */
  take(piece: string): readonly SheetRow[] {
    this.rows = [];
    this.xml.take(piece);
    return this.rows;
  }

  /** No more comes. */
  end(): void {
    this.xml.end();
  }

  open(name: string, attributes: string): void {
    if (name === 'sheetData') this.isData = true;
    if (!this.isData) return;
    if (name === 'c') this.openCell(attributes);
    else if (name === 'row') this.openRow(attributes);
    else if (name === 'v') this.isValue = true;
    else this.inline.open(name);
  }

  text(text: string): void {
    if (!this.isData) return;
    this.size += text.length;
    if (this.size > LIMITS.row) throw this.refuse(`A row is larger than ${mebibytes(LIMITS.row)}.`);
    if (this.isValue) this.value += text;
    else this.inline.text(text);
  }

  close(name: string): void {
    if (name === 'sheetData') this.isData = false;
    if (!this.isData) return;
    if (name === 'c') this.closeCell();
    else if (name === 'row') this.rows.push({ number: this.number, values: this.values });
    else if (name === 'v') this.isValue = false;
    else this.inline.close(name);
  }

  /** Rows and cells that do not say where they are stand behind those before them. */
  private openRow(attributes: string): void {
    let number = this.number + 1;
    this.values = [];
    this.size = 0;
    this.column = -1;
    eachAttribute(attributes, (name, value) => {
      if (name === 'r') number = Number(value);
    });
    if (!Number.isInteger(number) || number < 1 || number > LIMITS.sheetRows)
      throw this.refuse(`The sheet has a row that is none of 1 to ${LIMITS.sheetRows}.`);
    this.number = number;
  }

  private openCell(attributes: string): void {
    this.column += 1;
    this.type = 'n';
    this.style = 0;
    this.value = '';
    this.inline.clear();
    eachAttribute(attributes, (name, value) => {
      if (name === 'r') this.column = columnOf(value);
      else if (name === 't') this.type = value;
      else if (name === 's') this.style = Number(value);
    });
    if (this.column < 0 || this.column >= LIMITS.sheetColumns)
      throw this.refuse('The row has a cell that stands in none of the columns A to XFD.');
  }

  private closeCell(): void {
    const value = this.valueOf();
    if (value === undefined || value === '') return;
    if (this.column >= LIMITS.columns)
      throw this.refuse(`The sheet has ${this.column + 1} columns. It may have ${LIMITS.columns}.`);
    this.values[this.column] = value;
  }

  private valueOf(): SheetValue | undefined {
    const { type, value, context } = this;
    if (type === 'inlineStr') return this.inline.whole;
    if (type === 'str') return unescaped(value);
    if (value.trim() === '') return undefined;
    if (type === 's') return this.sharedText(Number(value));
    if (type === 'b') return value === '1' || value.toLowerCase() === 'true';
    const number = Number(value);
    // What is no number is an error such as #N/A, or a date that is written out.
    if (type === 'e' || !Number.isFinite(number)) return value;
    return context.dateOf(number, this.style) ?? number;
  }

  /** Were one that is missing taken for an empty cell, it would empty a text of the library. */
  private sharedText(place: number): string {
    const text = this.context.texts[place];
    if (text === undefined) throw this.refuse('A cell refers to a text that the spreadsheet does not have.');
    return text;
  }

  private refuse(details: string): Error {
    return unreadable(this.file, details, this.number);
  }
}
