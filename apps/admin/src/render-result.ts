import Table from 'cli-table3';

/** Columns with two blanks between them and no lines, so that a row can be copied. */
const CHARS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isListOfObjects = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The result of a command for people: a line for each field, and a table for each list of objects. */
export function renderResult(result: unknown): string {
  if (!isObject(result)) return isEmpty(result) ? '' : `${textOf(result)}\n`;
  const fields = flattened(result);
  const lines = fields.filter(([, value]) => !isListOfObjects(value));
  const lists = fields.filter((field): field is [string, readonly Fields[]] => isListOfObjects(field[1]));
  const width = Math.max(0, ...lines.map(([name]) => name.length));
  const parts = [
    lines.map(([name, value]) => `${name.padEnd(width)}  ${isEmpty(value) ? '–' : textOf(value)}`).join('\n'),
    ...lists.map(([name, rows]) => `${name}\n\n${tableOf(rows)}`),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The fields, with those of objects inside of it as `user.email`. */
function flattened(fields: Fields, prefix = ''): [string, unknown][] {
  return Object.entries(fields).flatMap(([name, value]): [string, unknown][] =>
    isObject(value) ? flattened(value, `${prefix}${name}.`) : [[`${prefix}${name}`, value]],
  );
}

/** A column for each field that at least one row has. */
function tableOf(rows: readonly Fields[]): string {
  const cells = rows.map((row) => new Map(flattened(row).filter(([, value]) => !isEmpty(value))));
  const names = [...new Set(rows.flatMap((row) => flattened(row).map(([name]) => name)))];
  const head = names.filter((name) => cells.some((row) => row.has(name)));
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true };
  const table = new Table({ head, chars: CHARS, style });
  table.push(...cells.map((row) => head.map((name) => (row.has(name) ? textOf(row.get(name)) : ''))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** A value on one line. Content of an organization must not control the operator's terminal. */
function textOf(value: unknown): string {
  const text =
    Array.isArray(value) && !value.some((entry) => typeof entry === 'object')
      ? value.join(', ')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
