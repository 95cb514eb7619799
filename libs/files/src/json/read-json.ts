import { Tokenizer, TokenizerError, TokenParser, TokenParserError, TokenType } from '@streamparser/json';
import type { FileToRead, FormatReader, ReportError } from '../format-reader.js';
import { checkHeader } from '../header.js';
import { unreadable } from '../invalid-files.js';
import { LIMITS, mebibytes } from '../limits.js';
import { MemberNames, rowOf } from '../object-rows.js';
import { utf8 } from '../utf8.js';

/** Reads one object `{model, columns, rows}`, row by row. */
export const readJson: FormatReader = async function* (file, report) {
  const { name, content } = file;
  const names = new MemberNames(file, report);
  const parser = new RowParser(name);
  let row = 0;
  for await (const text of utf8(name, content))
    for (const value of parser.take(text)) {
      row += 1;
      const values = rowOf(value, row, report);
      if (!values) continue;
      names.check(row, values);
      yield { row, values };
    }
  const { model, columns } = parser.end();
  checkModel(name, model, file.model);
  checkColumns(file, columns, report);
};

const isOpening = (token: TokenType): boolean => token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET;
const isClosing = (token: TokenType): boolean => token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET;

/**
 * Splits a file into rows, and keeps at most one row in memory. The tokenizer finds the position of each row, and
 * `JSON.parse` reads its bytes: the tokenizer itself drops byte order marks at the beginning of texts.
 */
class RowParser {
  private readonly tokens = new Tokenizer();
  private readonly values = new TokenParser({ paths: ['$.model', '$.columns'], keepStack: false });
  private readonly members: Record<string, unknown> = {};
  private rows: unknown[] = [];
  private count = 0;
  private depth = 0;
  /** The last key or text, and the key of the top-level member that is being read. */
  private lastText: unknown;
  private member: unknown;
  private list: 'expected' | 'open' | 'passed' = 'expected';
  /** The current chunk, its offset, the offset of the current row, and the row's bytes in earlier chunks. */
  private chunk: Buffer = Buffer.alloc(0);
  private chunkStart = 0;
  private rowStart: number | undefined;
  private earlierChunks: Buffer[] = [];
  /** Bytes since the end of the last row. */
  private size = 0;

  constructor(private readonly file: string) {
    this.tokens.onToken = (token) => {
      this.values.write(token);
      this.locate(token.token, token.value, token.offset);
    };
    this.values.onValue = ({ key, value }) => void (this.members[String(key)] = value);
  }

  /** The rows that end in this chunk. */
  take(text: string): readonly unknown[] {
    this.rows = [];
    this.chunk = Buffer.from(text);
    this.reportingSyntaxErrors(() => this.tokens.write(this.chunk));
    if (this.rowStart !== undefined) this.earlierChunks.push(this.rowBytesUntil(this.chunk.length));
    this.chunkStart += this.chunk.length;
    this.count += this.rows.length;
    this.size = this.rows.length ? 0 : this.size + this.chunk.length;
    if (this.size > LIMITS.row) throw unreadable(this.file, `A row is larger than ${mebibytes(LIMITS.row)}.`);
    return this.rows;
  }

  /** The members other than `rows`, after the whole file has been read. */
  end(): Readonly<Record<string, unknown>> {
    this.reportingSyntaxErrors(() => {
      if (!this.tokens.isEnded) this.tokens.end();
    });
    // Its own `end` would throw an error that cannot be told apart from a fault of the program.
    if (!this.values.isEnded)
      throw unreadable(
        this.file,
        'The file is not valid JSON: it ends before the last value is complete.',
        this.count + 1,
      );
    if (this.list !== 'passed') throw this.rowsNotAList();
    return this.members;
  }

  private locate(token: TokenType, value: unknown, offset: number): void {
    const isEntry = this.list === 'open' && this.depth === 2;
    if (isOpening(token)) this.open(token, offset, isEntry);
    else if (isClosing(token)) this.close(offset);
    else if (token === TokenType.COLON) this.member = this.depth === 1 ? this.lastText : this.member;
    else if (token === TokenType.STRING) this.lastText = value;
    if (isEntry && !isOpening(token) && !isClosing(token) && token !== TokenType.COMMA) this.rows.push(value);
  }

  private open(token: TokenType, offset: number, isEntry: boolean): void {
    if (this.depth === 1 && this.member === 'rows') {
      if (token === TokenType.LEFT_BRACE || this.list !== 'expected') throw this.rowsNotAList();
      this.list = 'open';
    }
    if (isEntry) {
      this.rowStart = offset;
      this.earlierChunks = [];
    }
    this.depth += 1;
    if (this.depth > LIMITS.depth + 3)
      throw unreadable(this.file, `A value is nested deeper than ${LIMITS.depth} levels.`);
  }

  private close(offset: number): void {
    this.depth -= 1;
    if (this.depth === 1 && this.list === 'open') this.list = 'passed';
    if (this.depth !== 2 || this.rowStart === undefined) return;
    const bytes = Buffer.concat([...this.earlierChunks, this.rowBytesUntil(offset + 1 - this.chunkStart)]);
    this.rows.push(JSON.parse(bytes.toString()));
    this.rowStart = undefined;
  }

  /** The bytes of the current row in this chunk, up to `end`. */
  private rowBytesUntil(end: number): Buffer {
    return this.chunk.subarray(Math.max((this.rowStart ?? 0) - this.chunkStart, 0), end);
  }

  private rowsNotAList(): Error {
    return unreadable(this.file, 'The file must be an object with a list "rows".');
  }

  private reportingSyntaxErrors(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof TokenizerError || error instanceof TokenParserError)) throw error;
      throw unreadable(this.file, `The file is not valid JSON: ${error.message.slice(0, 200)}`, this.count + 1);
    }
  }
}

/** Throws `InvalidFiles` if a file declares another model. */
export function checkModel(name: string, value: unknown, model: string): void {
  if (value !== undefined && value !== model)
    throw unreadable(name, `The model of the file is ${JSON.stringify(value).slice(0, 100)}, not "${model}".`);
}

/** Checks the `columns` of a file. Throws `InvalidFiles` if it is not a list of names, and as `checkHeader` does. */
export function checkColumns(file: FileToRead, value: unknown, report: ReportError): void {
  if (value === undefined) return;
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string'))
    throw unreadable(file.name, '"columns" must be a list of names.');
  checkHeader(file, null, value as string[], report);
}
