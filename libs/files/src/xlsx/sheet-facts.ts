import path from 'node:path';
import { unreadable } from '../invalid-files.js';
import { LIMITS } from '../limits.js';
import { isShowable, shownBy, timeOf, withoutMidnight, type Shown } from './number-formats.js';

/** What the library does not tell about a cell. */
export interface CellMark {
  /** It shows an error, its formula was never calculated, it shows a date or time, or it is part of a merged cell. */
  readonly kind: 'error' | 'no result' | 'date' | 'merged';
  /** What the spreadsheet shows; for a merged cell, the number of the row in which it begins. */
  readonly text: string;
}

/** A sheet of a workbook. */
export interface SheetInfo {
  readonly name: string;
  readonly isHidden: boolean;
  readonly hasValues: boolean;
}

type Attributes = Readonly<Record<string, string>>;

const COLUMNS_OF_SHEET = 16_384;

/** The column of a cell such as `AB12`, counted from 1. */
export function columnOf(reference: string): number {
  let column = 0;
  for (const character of reference) {
    if (character <= '9') break;
    column = column * 26 + character.charCodeAt(0) - 64;
  }
  return column;
}

/** A merged cell such as `B2:C4`. */
const MERGED = /^([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/;

interface OpenCell {
  readonly row: number;
  readonly column: number;
  readonly type: string | undefined;
  readonly shown: Shown | undefined;
  hasFormula: boolean;
  hasValue: boolean;
  text: string;
}

interface Part {
  readonly marks: Map<number, CellMark>;
  /** The last column with a merged cell, by row: a row may end before it. */
  readonly lastMerged: Map<number, number>;
  hasValues: boolean;
}

/** Collects what the library that reads the rows does not tell: names and states of sheets, errors and times. */
export class SheetFacts {
  private readonly targets = new Map<string, string>();
  private readonly formats = new Set<string>();
  private readonly codes = new Map<number, string>();
  private readonly styles: (Shown | undefined)[] = [];
  private readonly listed: { name: string; isHidden: boolean; target: string }[] = [];
  private readonly parts = new Map<string, Part>();
  private system: 1900 | 1904 = 1900;
  private markCount = 0;
  private row = 0;
  private column = 0;
  private cell: OpenCell | undefined;

  constructor(private readonly file: string) {}

  /** Whether a part has the formats of cells, once all relationships are known. */
  hasFormats(part: string): boolean {
    return this.formats.has(part);
  }

  sheets(): SheetInfo[] {
    return this.listed.map(({ name, isHidden, target }) => ({
      name,
      isHidden,
      hasValues: this.parts.get(target)?.hasValues ?? false,
    }));
  }

  is1904(): boolean {
    return this.system === 1904;
  }

  /** The mark of a cell of a sheet, or of the first one if the name is null. Columns count from 0. */
  markOf(sheet: string | null, row: number, column: number): CellMark | undefined {
    return this.partNamed(sheet)?.marks.get(row * COLUMNS_OF_SHEET + column);
  }

  /** How many columns of a row may have marks, at least `width`. */
  widthOf(sheet: string | null, row: number, width: number): number {
    return Math.max(width, (this.partNamed(sheet)?.lastMerged.get(row) ?? -1) + 1);
  }

  private partNamed(sheet: string | null): Part | undefined {
    const listed = sheet === null ? this.listed[0] : this.listed.find(({ name }) => name === sheet);
    return listed && this.parts.get(listed.target);
  }

  /** @param open the open elements, from the outermost to this one */
  opened(part: string, name: string, attributes: Attributes, open: readonly string[]): void {
    const parent = open.at(-2);
    if (name === 'Relationship') this.openRelationship(part, attributes);
    else if (name === 'sheet') this.openSheet(part, attributes);
    else if (name === 'workbookPr') this.system = /^(?:1|true)$/.test(attributes.date1904 ?? '') ? 1904 : 1900;
    else if (name === 'numFmt' && parent === 'numFmts')
      this.codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
    else if (name === 'xf' && parent === 'cellXfs') {
      const format = Number(attributes.numFmtId ?? 0);
      this.styles.push(shownBy(format, this.codes.get(format)));
    } else if (name === 'row' && parent === 'sheetData') {
      this.row = attributes.r === undefined ? this.row + 1 : Number(attributes.r);
      this.column = 0;
    } else if (name === 'sheetData') this.row = 0;
    else if (name === 'mergeCell' && parent === 'mergeCells') this.merge(part, attributes.ref ?? '');
    else if (name === 'c' && parent === 'row' && open.at(-3) === 'sheetData') this.openCell(attributes);
    else if (name === 'f' && this.cell) this.cell.hasFormula = true;
    else if (name === 'v' && this.cell) this.cell.hasValue = true;
  }

  /** @param parent the element that contains the text */
  text(parent: string | undefined, text: string): void {
    if (this.cell && (parent === 'v' || parent === 't')) this.cell.text += text;
  }

  /** Returns the text of a closed cell, and its type. */
  closed(part: string, name: string): { readonly type: string | undefined; readonly text: string } | undefined {
    const { cell } = this;
    if (name !== 'c' || !cell) return undefined;
    this.cell = undefined;
    const facts = this.partOf(part);
    facts.hasValues ||= cell.text !== '';
    const mark = this.markFor(cell);
    if (mark) this.mark(part, cell.row, cell.column, mark);
    return cell;
  }

  /** Marks the cells below the first one of a merged cell. Those of other columns stay empty. */
  private merge(part: string, range: string): void {
    const [, column, top, bottom] = MERGED.exec(range) ?? [];
    if (column === undefined || top === undefined) return;
    for (let row = Number(top) + 1; row <= Number(bottom); row += 1)
      this.mark(part, row, columnOf(column) - 1, { kind: 'merged', text: top });
  }

  private mark(part: string, row: number, column: number, mark: CellMark): void {
    this.markCount += 1;
    if (this.markCount > LIMITS.spreadsheetMarks)
      throw unreadable(
        this.file,
        `The spreadsheet has more than ${LIMITS.spreadsheetMarks} cells with errors, times or merged cells.`,
      );
    const { marks, lastMerged } = this.partOf(part);
    marks.set(row * COLUMNS_OF_SHEET + column, mark);
    if (mark.kind === 'merged') lastMerged.set(row, Math.max(lastMerged.get(row) ?? 0, column));
  }

  private partOf(name: string): Part {
    const part = this.parts.get(name) ?? {
      marks: new Map<number, CellMark>(),
      lastMerged: new Map(),
      hasValues: false,
    };
    this.parts.set(name, part);
    return part;
  }

  private openRelationship(part: string, { Id: id = '', Target: target = '', Type: type = '' }: Attributes): void {
    const folder = path.posix.dirname(path.posix.dirname(part));
    const absolute = target.startsWith('/') ? target.slice(1) : path.posix.join(folder, target);
    const source = path.posix.join(folder, path.posix.basename(part).replace(/\.rels$/i, ''));
    this.targets.set(`${source}\n${id}`, absolute);
    if (type.endsWith('/styles')) this.formats.add(absolute);
  }

  private openSheet(part: string, attributes: Attributes): void {
    const id = Object.entries(attributes).find(([name]) => /:id$/i.test(name))?.[1] ?? '';
    const { name = '', state = 'visible' } = attributes;
    const target = this.targets.get(`${part}\n${id}`);
    if (name !== '' && target !== undefined) this.listed.push({ name, isHidden: state !== 'visible', target });
  }

  private openCell({ r: reference, t: type, s: style }: Attributes): void {
    const column = reference === undefined ? this.column : columnOf(reference) - 1;
    this.column = column + 1;
    const shown = style === undefined || (type !== undefined && type !== 'n') ? undefined : this.styles[Number(style)];
    this.cell = { row: this.row, column, type, shown, hasFormula: false, hasValue: false, text: '' };
  }

  private markFor({ type, shown, hasFormula, hasValue, text }: OpenCell): CellMark | undefined {
    if (type === 'e') return { kind: 'error', text };
    if (text === '') return hasFormula && !(type === 'str' && hasValue) ? { kind: 'no result', text } : undefined;
    if (type === 'd') {
      const date = withoutMidnight(text);
      return date === text ? undefined : { kind: 'date', text: date };
    }
    if (type !== undefined && type !== 'n') return undefined;
    const number = Number(text);
    if (!Number.isFinite(number)) return { kind: 'error', text };
    if (!shown) return undefined;
    if (!isShowable(number, shown, this.system)) return { kind: 'error', text: '####' };
    const time = timeOf(number, shown);
    return time === undefined ? undefined : { kind: 'date', text: time };
  }
}
