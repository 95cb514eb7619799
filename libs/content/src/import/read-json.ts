import type { Column } from '../models/content-model.js';
import type { FormatReader } from './format-reader.js';
import { checkHeader } from './header.js';
import { unreadable } from './import-failure.js';
import { JsonRows } from './json-rows.js';
import { checkNames, rowOf } from './object-rows.js';
import { utf8 } from './utf8.js';

/** One object `{model, columns, rows}`, read row by row. */
export const readJson: FormatReader = async function* (file, refuse) {
  const { name, columns, content } = file;
  const checked = new Set<string>();
  const rows = new JsonRows(name);
  let row = 0;
  for await (const text of utf8(name, content))
    for (const json of rows.take(text)) {
      row += 1;
      const values = rowOf(parse(name, json, row), row, refuse);
      if (!values) continue;
      checkNames(name, row, values, columns, checked);
      yield { row, values };
    }
  const whole = parse(name, rows.end(), row + 1);
  if (typeof whole !== 'object' || whole === null || !('rows' in whole) || !Array.isArray(whole.rows))
    throw unreadable(name, 'The file must be an object with a list "rows".');
  checkModel(name, 'model' in whole ? whole.model : undefined, file.model);
  checkColumns(name, 'columns' in whole ? whole.columns : undefined, columns);
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

/** Throws `ImportFailure` where the names of a file's columns are no such list. */
export function checkColumns(name: string, value: unknown, columns: readonly Column[]): void {
  if (value === undefined) return;
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string'))
    throw unreadable(name, '"columns" must be a list of names.');
  checkHeader(name, null, value as string[], columns);
}
