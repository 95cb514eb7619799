import { unreadable } from './import-failure.js';
import { LIMITS, mebibytes } from './limits.js';

/** What may end a cell that is not quoted, or must not stand in it. */
const SIGN = /[",\r\n]/g;

/**
 * Tells the rows of a table in RFC 4180 apart. Its lines end as the first of them does: by CR LF, LF or CR; then the
 * other two are characters like any other.
 */
export class CsvRows {
  private cells: string[] = [];
  private cell = '';
  private state: 'begin' | 'plain' | 'quoted' | 'quote' = 'begin';
  private size = 0;
  private lineEnd: string | undefined;
  /** A CR at the end of a piece: what follows it is not known yet. */
  private held = '';
  private count = 0;

  constructor(private readonly file: string) {}

  /** The rows that end in this piece, each as its cells. */
  *take(piece: string): Generator<string[], void, undefined> {
    const text = this.held + piece;
    this.held = text.endsWith('\r') ? '\r' : '';
    yield* this.read(this.held ? text.slice(0, -1) : text);
  }

  /** What is left: a last row that no line end follows. */
  *end(): Generator<string[], void, undefined> {
    yield* this.read(this.held);
    if (this.state === 'quoted') throw this.refuse('a quoted cell does not end.');
    if (this.cells.length || this.cell !== '' || this.state === 'quote') yield this.row();
  }

  private *read(text: string): Generator<string[], void, undefined> {
    for (let at = 0; at < text.length;) {
      if (this.state === 'begin') {
        const isQuoted = text[at] === '"';
        this.state = isQuoted ? 'quoted' : 'plain';
        if (isQuoted) at += 1;
      } else if (this.state === 'quoted') {
        const end = text.indexOf('"', at);
        this.add(end < 0 ? text.slice(at) : text.slice(at, end));
        if (end < 0) return;
        this.state = 'quote';
        at = end + 1;
      } else if (this.state === 'quote' && text[at] === '"') {
        this.add('"');
        this.state = 'quoted';
        at += 1;
      } else {
        const sign = this.signIn(text, at);
        if (sign < 0) return;
        const length = text[sign] === ',' ? 0 : this.lineEndAt(text, sign);
        if (text[sign] === ',') this.endCell();
        else if (length) yield this.row();
        else this.add(this.plain(text.charAt(sign)));
        at = sign + (length || 1);
      }
    }
  }

  /** Where the next sign is; all before it belongs to the cell. Negative where there is none. */
  private signIn(text: string, at: number): number {
    SIGN.lastIndex = at;
    const sign = SIGN.exec(text)?.index ?? -1;
    if (sign !== at) this.add(this.plain(sign < 0 ? text.slice(at) : text.slice(at, sign)));
    return sign;
  }

  /** A piece of a cell that is not quoted. */
  private plain(piece: string): string {
    if (this.state === 'quote') throw this.refuse('a quoted cell goes on behind its closing quote.');
    if (piece === '"') throw this.refuse('a cell has a quote in its middle and is not quoted itself.');
    return piece;
  }

  /** How long the line end is that stands here; 0 where there is none. */
  private lineEndAt(text: string, at: number): number {
    if (text[at] === '"') return 0;
    this.lineEnd ??= text[at] === '\n' ? '\n' : text[at + 1] === '\n' ? '\r\n' : '\r';
    return text.startsWith(this.lineEnd, at) ? this.lineEnd.length : 0;
  }

  private add(piece: string): void {
    this.cell += piece;
    this.grow(piece.length);
  }

  private grow(size: number): void {
    this.size += size;
    if (this.size > LIMITS.row) throw this.refuse(`a row is larger than ${mebibytes(LIMITS.row)}.`);
  }

  private endCell(): void {
    this.grow(1);
    this.cells.push(this.cell);
    this.cell = '';
    this.state = 'begin';
  }

  private row(): string[] {
    this.endCell();
    const { cells } = this;
    this.cells = [];
    this.size = 0;
    this.count += 1;
    return cells;
  }

  private refuse(reason: string): Error {
    return unreadable(this.file, `This is no CSV: ${reason}`, this.count + 1);
  }
}
