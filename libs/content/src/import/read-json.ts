import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import type { FormatReader, RawRow } from './format-reader.js';
import { checkHeader } from './header.js';
import { ImportFailure, unreadable } from './import-failure.js';
import { LIMITS, mebibytes } from './limits.js';
import { checkNames, rowOf } from './object-rows.js';
import { utf8 } from './utf8.js';

/** Levels around a value: the object, the list of rows, the row. */
const OUTER_LEVELS = 3;

const OPENING = new Set([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]);
const CLOSING = new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]);

/** One object `{model, columns, rows}`, read row by row. */
export const readJson: FormatReader = async function* (file, refuse) {
  const { name, columns, content } = file;
  const found: RawRow[] = [];
  const checked = new Set<string>();
  let row = 0;
  let hasRows = false;
  let depth = 0;
  let size = 0;
  const tokens = new Tokenizer();
  const values = new TokenParser({ paths: ['$.model', '$.columns', '$.rows', '$.rows.*'], keepStack: false });
  tokens.onToken = (token) => {
    if (OPENING.has(token.token)) depth += 1;
    else if (CLOSING.has(token.token)) depth -= 1;
    if (depth > LIMITS.depth + OUTER_LEVELS)
      throw unreadable(name, `A value is nested deeper than ${LIMITS.depth} levels.`, row + 1);
    values.write(token);
  };
  values.onValue = ({ value, key, stack }) => {
    if (stack.length === 2 && stack[1]?.key === 'rows') {
      row += 1;
      size = 0;
      const values = rowOf(value, row, refuse);
      if (!values) return;
      checkNames(name, row, values, columns, checked);
      found.push({ row, values });
    } else if (key === 'rows') hasRows = Array.isArray(value);
    else if (key === 'model') checkModel(name, value, file.model);
    else if (key === 'columns') checkColumns(name, value, columns);
  };
  try {
    for await (const text of utf8(name, content)) {
      size += text.length;
      tokens.write(text);
      if (size > LIMITS.row + text.length)
        throw unreadable(name, `A row is larger than ${mebibytes(LIMITS.row)}.`, row + 1);
      yield* found.splice(0);
    }
    if (!tokens.isEnded) tokens.end();
    if (!values.isEnded) values.end();
  } catch (error) {
    if (error instanceof ImportFailure || !(error instanceof Error)) throw error;
    throw unreadable(name, `This is no JSON: ${error.message.slice(0, 200)}`, row + 1);
  }
  if (!hasRows) throw unreadable(name, 'The file must be an object with a list "rows".');
};

/** Throws `ImportFailure` where a file says that it is of another model. */
export function checkModel(name: string, value: unknown, model: string): void {
  if (value !== undefined && value !== model)
    throw unreadable(
      name,
      `The file says that its model is ${JSON.stringify(value).slice(0, 100)}, and not "${model}".`,
    );
}

/** Throws `ImportFailure` where the names of a file's columns are no such list. */
export function checkColumns(name: string, value: unknown, columns: Parameters<typeof checkHeader>[3]): void {
  if (value === undefined) return;
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string'))
    throw unreadable(name, '"columns" must be a list of names.');
  checkHeader(name, null, value as string[], columns);
}
