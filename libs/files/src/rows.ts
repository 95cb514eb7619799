/**
 * What a cell holds: `list` is a list of texts or of whole numbers, `json` anything nested, `timestamp` a text in ISO
 * 8601, which the rows have as a time of PostgreSQL.
 */
export type ColumnType = 'text' | 'integer' | 'boolean' | 'list' | 'json' | 'timestamp';

/** A column of a file. A `number` may have decimals, where an `integer` has none. */
export interface SheetColumn {
  readonly name: string;
  readonly type: ColumnType | 'number';
}

/** A list or an object, as the text of its JSON. */
export interface Nested {
  readonly json: string;
}

/** The values of a row, in the order of the columns. */
export type Row = readonly (string | number | boolean | null | Nested)[];

/**
 * Rows as a database sends them: the texts of their values, in UTF-8, in one piece of memory. Lists and objects are
 * JSON, times as the `DateStyle` ISO has them.
 */
export interface Rows {
  readonly bytes: Buffer;
  /** Where each value starts and where it ends, row by row in the order of the columns; -1 and -1 where it is null. */
  readonly places: readonly number[];
}

/** How many rows they are, of so many columns. */
export const rowCount = ({ places }: Rows, columns: number): number => places.length / 2 / columns;

/** A time such as `2026-03-04 15:43:51.6+00` as the API writes it: with six digits, and the offset in minutes. */
export function isoTimeOf(time: string): string {
  const zone = Math.max(time.indexOf('+', 19), time.indexOf('-', 19));
  const offset = time.slice(zone, zone + 6);
  const fraction = time.slice(20, zone).padEnd(6, '0');
  return `${time.slice(0, 10)}T${time.slice(11, 19)}.${fraction}${offset}${offset.length === 3 ? ':00' : ''}`;
}

const nested = (json: string) => ({ json });

const VALUES: Readonly<Record<SheetColumn['type'], (text: string) => Row[number]>> = {
  text: (text) => text,
  timestamp: isoTimeOf,
  integer: Number,
  number: Number,
  boolean: (text) => text === 'true',
  list: nested,
  json: nested,
};

/** The texts of the values of rows, row by row, of so many columns; null where a value is. */
export function textsOf({ bytes, places }: Rows, columns: number): (string | null)[][] {
  const texts: (string | null)[][] = [];
  for (let place = 0; place < places.length;) {
    const row: (string | null)[] = [];
    for (; row.length < columns; place += 2) {
      const start = places[place] ?? -1;
      row.push(start < 0 ? null : bytes.toString('utf8', start, places[place + 1]));
    }
    texts.push(row);
  }
  return texts;
}

/** The values of rows. */
export const valuesOf = (rows: Rows, columns: readonly SheetColumn[]): Row[] =>
  textsOf(rows, columns.length).map((texts) =>
    columns.map(({ type }, n) => {
      const text = texts[n] ?? null;
      return text === null ? null : VALUES[type](text);
    }),
  );

/** Values, none of them a list, an object or a time, as rows. */
export function rowsOf(values: readonly (readonly (string | number | boolean | null)[])[]): Rows {
  const texts = values.flatMap((row) => row.map((value) => (value === null ? null : String(value))));
  let end = 0;
  const places = texts.flatMap((text) => {
    if (text === null) return [-1, -1];
    const start = end;
    end += Buffer.byteLength(text);
    return [start, end];
  });
  return { bytes: Buffer.from(texts.join('')), places };
}
