import { Tokenizer, TokenizerError, TokenParser, TokenParserError, TokenType } from '@streamparser/json';
import type { FileToRead, FormatReader, Refuse } from './format-reader.js';
import { checkHeader } from './header.js';
import { unreadable } from './import-failure.js';
import { LIMITS, mebibytes } from './limits.js';
import { MemberNames, rowOf } from './object-rows.js';
import { utf8 } from './utf8.js';

/** One object `{model, columns, rows}`, read row by row. */
export const readJson: FormatReader = async function* (file, refuse) {
  const { name, content } = file;
  const names = new MemberNames(file, refuse);
  const parser = new RowParser(name);
  let row = 0;
  for await (const text of utf8(name, content))
    for (const value of parser.take(text)) {
      row += 1;
      const values = rowOf(value, row, refuse);
      if (!values) continue;
      names.check(row, values);
      yield { row, values };
    }
  const { model, columns } = parser.end();
  checkModel(name, model, file.model);
  checkColumns(file, columns, refuse);
};

/** Takes a file apart: never more than one of its rows is put together at once. */
class RowParser {
  private readonly tokens = new Tokenizer();
  private readonly values = new TokenParser({ paths: ['$.model', '$.columns', '$.rows.*'], keepStack: false });
  private readonly around: Record<string, unknown> = {};
  private rows: unknown[] = [];
  private count = 0;
  private size = 0;
  private depth = 0;
  /** The last name or text, and the member of the file that is being read. */
  private lastText: unknown;
  private member: unknown;
  private hasList = false;

  constructor(private readonly file: string) {
    this.tokens.onToken = (token) => {
      this.locate(token.token, token.value);
      this.values.write(token);
    };
    this.values.onValue = ({ key, value, stack }) => {
      if (stack.length === 1) this.around[String(key)] = value;
      else this.rows.push(value);
    };
  }

  /** The rows that end in this piece. */
  take(piece: string): readonly unknown[] {
    this.rows = [];
    this.guarded(() => this.tokens.write(piece));
    this.count += this.rows.length;
    this.size = this.rows.length ? 0 : this.size + piece.length;
    if (this.size > LIMITS.row) throw unreadable(this.file, `A row is larger than ${mebibytes(LIMITS.row)}.`);
    return this.rows;
  }

  /** What stands beside the rows, once all has been read. */
  end(): Readonly<Record<string, unknown>> {
    this.guarded(() => {
      if (!this.tokens.isEnded) this.tokens.end();
      if (!this.values.isEnded) this.values.end();
    });
    if (!this.hasList) throw this.noList();
    return this.around;
  }

  private locate(token: TokenType, value: unknown): void {
    if (token === TokenType.STRING) this.lastText = value;
    else if (token === TokenType.COLON && this.depth === 1) this.member = this.lastText;
    else if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      if (this.depth === 1 && this.member === 'rows') {
        if (token === TokenType.LEFT_BRACE || this.hasList) throw this.noList();
        this.hasList = true;
      }
      this.depth += 1;
      if (this.depth > LIMITS.depth + 3)
        throw unreadable(this.file, `A value is nested deeper than ${LIMITS.depth} levels.`);
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.depth -= 1;
  }

  private noList(): Error {
    return unreadable(this.file, 'The file must be an object with a list "rows".');
  }

  private guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof TokenizerError || error instanceof TokenParserError)) throw error;
      throw unreadable(this.file, `This is no JSON: ${error.message.slice(0, 200)}`, this.count + 1);
    }
  }
}

/** Throws `ImportFailure` where a file says that it is of another model. */
export function checkModel(name: string, value: unknown, model: string): void {
  if (value !== undefined && value !== model)
    throw unreadable(
      name,
      `The file says that its model is ${JSON.stringify(value).slice(0, 100)}, and not "${model}".`,
    );
}

/** Checks the list of a file's columns. Throws `ImportFailure` where it is none, and as `checkHeader` does. */
export function checkColumns(file: FileToRead, value: unknown, refuse: Refuse): void {
  if (value === undefined) return;
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string'))
    throw unreadable(file.name, '"columns" must be a list of names.');
  checkHeader(file, null, value as string[], refuse);
}
