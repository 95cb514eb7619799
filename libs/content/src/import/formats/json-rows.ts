import { unreadable } from './import-failure.js';
import { LIMITS, mebibytes } from './limits.js';

/** The rows of a file are the entries of this list of its object. */
const LIST = 'rows';
const BLANK = /^[\t\n\r ]*$/;
const STRUCTURE = /["[\]{},:]/g;
const IN_STRING = /["\\]/g;

/**
 * Tells the entries of the list `rows` apart in the text of a JSON object, so that each can be parsed by itself, and
 * everything else at the end: the parser of the language takes a whole text, and the streaming ones that there are lose
 * characters. What is no JSON is found by the parser, once it gets the parts.
 */
export class JsonRows {
  private depth = 0;
  private inString = false;
  private inRows = false;
  /** Whether the rows were passed: there is one list of them. */
  private passed = false;
  /** The text that belongs to the part in the making: a row, or what is around them. */
  private part = '';
  private around = '';
  private lastString = '';
  private key = '';
  private afterComma = false;
  /** Whether the list of rows has just begun. */
  private entered = false;
  /** Where the string that is being read begins in the piece. */
  private stringFrom = 0;
  /** Whether a piece ended behind a backslash. */
  private escaped = false;

  constructor(private readonly file: string) {}

  /** The texts of the rows that end in this piece. */
  *take(text: string): Generator<string, void, undefined> {
    let start = 0;
    for (let at = 0; at < text.length;) {
      if (this.inString) {
        const end = this.endOfString(text, at);
        if (end === undefined) break;
        at = end;
        continue;
      }
      STRUCTURE.lastIndex = at;
      const found = STRUCTURE.exec(text);
      if (!found) break;
      at = found.index + 1;
      const isEnd = this.inRows && this.depth === 2 && (found[0] === ',' || found[0] === ']');
      if (isEnd) {
        const row = this.part + text.slice(start, found.index);
        this.part = '';
        start = found.index + (found[0] === ',' ? 1 : 0);
        yield* this.rowOf(row, found[0] === ',');
      }
      if (found[0] === '"') {
        this.inString = true;
        this.lastString = '';
        this.stringFrom = at;
      } else this.step(found[0]);
      if (this.entered) {
        this.entered = false;
        this.around += this.part + text.slice(start, at);
        this.part = '';
        start = at;
      }
    }
    this.carry(text, start);
  }

  /** What is around the rows: the object with an empty list. */
  end(): string {
    return this.around + this.part;
  }

  private step(sign: string): void {
    if (sign === '{' || sign === '[') {
      this.depth += 1;
      if (this.depth > LIMITS.depth + 3)
        throw unreadable(this.file, `A value is nested deeper than ${LIMITS.depth} levels.`);
      if (this.depth === 2 && sign === '[' && this.key === LIST && !this.passed) {
        this.inRows = true;
        this.entered = true;
      }
    } else if (sign === '}' || sign === ']') {
      if (this.inRows && this.depth === 2) {
        this.inRows = false;
        this.passed = true;
      }
      this.depth -= 1;
    } else if (sign === ':' && this.depth === 1) this.key = this.lastString;
  }

  /** A row, unless there is nothing: which only an empty list has. */
  private *rowOf(text: string, isFollowed: boolean): Generator<string, void, undefined> {
    const isBlank = BLANK.test(text);
    if (isBlank && (isFollowed || this.afterComma)) throw unreadable(this.file, 'This is no JSON: a row is missing.');
    this.afterComma = isFollowed;
    if (!isBlank) yield text;
  }

  /** Where a string ends in this piece; undefined where it goes on in the next one. */
  private endOfString(text: string, from: number): number | undefined {
    let at = from;
    if (this.escaped) {
      this.escaped = false;
      at += 1;
    }
    for (;;) {
      IN_STRING.lastIndex = at;
      const found = IN_STRING.exec(text);
      if (!found) {
        this.remember(text.slice(this.stringFrom));
        this.stringFrom = 0;
        return undefined;
      }
      if (found[0] === '"') {
        this.remember(text.slice(this.stringFrom, found.index));
        this.inString = false;
        return found.index + 1;
      }
      at = found.index + 2;
      if (at > text.length) {
        this.escaped = true;
        this.remember(text.slice(this.stringFrom));
        this.stringFrom = 0;
        return undefined;
      }
    }
  }

  /** Names of the object are short: no more of a string is kept. */
  private remember(piece: string): void {
    if (this.depth === 1 && this.lastString.length < 100) this.lastString += piece.slice(0, 100);
  }

  private carry(text: string, start: number): void {
    this.part += text.slice(start);
    if (this.part.length > LIMITS.row) throw unreadable(this.file, `A row is larger than ${mebibytes(LIMITS.row)}.`);
  }
}
