import type { FileToRead, FormatReader, Refuse } from './format-reader.js';
import { checkHeader } from './header.js';
import { unreadable } from './import-failure.js';
import { JsonRows } from './json-rows.js';
import { MemberNames, rowOf } from './object-rows.js';
import { utf8 } from './utf8.js';

/** One object `{model, columns, rows}`, read row by row. */
export const readJson: FormatReader = async function* (file, refuse) {
  const { name, content } = file;
  const names = new MemberNames(file, refuse);
  const rows = new JsonRows(name);
  let row = 0;
  for await (const text of utf8(name, content))
    for (const json of rows.take(text)) {
      row += 1;
      const values = rowOf(parse(name, json, row), row, refuse);
      if (!values) continue;
      names.check(row, values);
      yield { row, values };
    }
  const whole = parse(name, rows.end(), row + 1);
  if (typeof whole !== 'object' || whole === null || !('rows' in whole) || !Array.isArray(whole.rows))
    throw unreadable(name, 'The file must be an object with a list "rows".');
  checkModel(name, 'model' in whole ? whole.model : undefined, file.model);
  checkColumns(file, 'columns' in whole ? whole.columns : undefined, refuse);
};

function parse(name: string, text: string, row: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw unreadable(name, `This is no JSON: ${error instanceof Error ? error.message.slice(0, 200) : ''}`, row);
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
