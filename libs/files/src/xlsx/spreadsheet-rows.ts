import { HucreError } from 'hucre';
import { type StreamRow, streamXlsxRows } from 'hucre/xlsx';
import { Archive } from '../archives/archive.js';
import { unreadable } from '../invalid-files.js';
import { LIMITS } from '../limits.js';
import { isoDate } from './number-formats.js';
import type { CellMark, SheetFacts, SheetInfo } from './sheet-facts.js';
import { guardSpreadsheet } from './spreadsheet-guard.js';

/** The value of a cell; null if it is empty. Dates are texts in ISO 8601. */
export type SheetValue = string | number | boolean | null;

/** A row of a sheet. */
export interface SheetRow {
  /** Counted from 1. */
  readonly number: number;
  /** In the order of the columns. */
  readonly values: readonly SheetValue[];
  /** What else is known about cells, by the index of their column. */
  readonly marks?: Readonly<Record<number, CellMark>>;
}

/**
 * The first question carries the file; each further one requests rows of the sheet with this name, or of the first
 * sheet if it is null.
 */
export type SpreadsheetQuestion =
  | { readonly file: string; readonly bytes: Uint8Array }
  | { readonly sheet: string | null };

/** The next rows; empty if there are no more, or no such sheet. The first answer has the sheets instead. */
export interface SpreadsheetAnswer {
  readonly rows: readonly SheetRow[];
  readonly sheets?: readonly SheetInfo[];
  readonly is1904?: boolean;
}

/**
 * Maximum size of a batch, in rows and in characters. hucre takes each row from the front of an array, which slows down
 * with its length: a batch takes more rows, even blank ones, than hucre parses between two batches.
 */
const BATCH_ROWS = 20_000;
const BATCH_CHARACTERS = 4 * 2 ** 20;

const valueOf = (value: StreamRow['values'][number]): SheetValue => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  // A cell that is typed as a number but does not hold one is returned as text.
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
};

function dateMark(value: StreamRow['values'][number]): CellMark | undefined {
  if (!(value instanceof Date)) return undefined;
  return Number.isNaN(value.getTime()) ? { kind: 'error', text: '####' } : { kind: 'date', text: isoDate(value) };
}

/** Reads a spreadsheet in memory, inside the thread that has memory reserved for it. */
export class SpreadsheetRows {
  private file = '';
  private bytes = new Uint8Array();
  private facts: SheetFacts | undefined;
  private sheet: string | null | undefined;
  private rows: AsyncGenerator<StreamRow, void, undefined> | undefined;

  /** Throws `InvalidFiles`. */
  async answerTo(question: SpreadsheetQuestion): Promise<SpreadsheetAnswer> {
    if ('bytes' in question) {
      this.file = question.file;
      this.bytes = new Uint8Array(question.bytes);
      const facts = await this.check();
      this.facts = facts;
      return { rows: [], sheets: facts.sheets(), is1904: facts.is1904() };
    }
    if (question.sheet !== this.sheet) {
      this.sheet = question.sheet;
      this.rows = streamXlsxRows(this.bytes, question.sheet === null ? {} : { sheet: question.sheet });
    }
    try {
      return { rows: await this.next() };
    } catch (error) {
      if (!(error instanceof HucreError)) throw error;
      throw unreadable(this.file, `The file is not a readable spreadsheet: ${error.message.slice(0, 300)}`);
    }
  }

  private async check(): Promise<SheetFacts> {
    const archive = await Archive.open(Buffer.from(this.bytes.buffer), this.file, {
      entries: LIMITS.spreadsheetEntries,
      unpacked: LIMITS.spreadsheetUnpacked,
    });
    try {
      return await guardSpreadsheet(this.file, archive);
    } finally {
      archive.close();
    }
  }

  private async next(): Promise<SheetRow[]> {
    const batch: SheetRow[] = [];
    let size = 0;
    while (this.rows && batch.length < BATCH_ROWS && size < BATCH_CHARACTERS) {
      const { done, value: row } = await this.rows.next();
      if (done) break;
      const number = row.index + 1;
      if (!Number.isInteger(number) || number < 1 || number > LIMITS.sheetRows)
        throw unreadable(this.file, `The sheet has a row outside 1 to ${LIMITS.sheetRows}.`);
      const values = row.values.map(valueOf);
      while (values.at(-1) === null || values.at(-1) === '') values.pop();
      if (values.length > LIMITS.columns)
        throw unreadable(this.file, `The sheet has ${values.length} columns; the limit is ${LIMITS.columns}.`, number);
      size += values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 1), 0);
      const marks = this.marksOf(number, row.values.slice(0, LIMITS.columns));
      batch.push({ number, values, ...(marks && { marks }) });
    }
    return batch;
  }

  private marksOf(row: number, values: StreamRow['values']): SheetRow['marks'] {
    const marks: Record<number, CellMark> = {};
    let isMarked = false;
    const sheet = this.sheet ?? null;
    const width = Math.min(this.facts?.widthOf(sheet, row, values.length) ?? values.length, LIMITS.columns);
    for (let column = 0; column < width; column += 1) {
      const mark = this.facts?.markOf(sheet, row, column) ?? dateMark(values[column] ?? null);
      if (!mark) continue;
      marks[column] = mark;
      isMarked = true;
    }
    return isMarked ? marks : undefined;
  }
}
