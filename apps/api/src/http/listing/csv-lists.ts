import { setImmediate } from 'node:timers/promises';
import { FORMATS } from '#files/formats.js';
import type { Row, SheetColumn } from '#files/rows.js';
import type { ParsedQuery } from '#query/parameters.js';
import type { Projection } from '#query/projection.js';
import type { Schema } from '#query/schema.js';
import { fieldsOf } from '#query/statements.js';

/** Rows that are written without letting other requests run. */
const BATCH_ROWS = 200;

const PLAIN_TYPES: Readonly<Record<string, SheetColumn['type']>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
};

/** The type of the column of a field: undefined for objects and lists of objects, which have no column. */
function columnTypeOf({ type = 'object', items }: Schema): SheetColumn['type'] | undefined {
  return type === 'array' && items?.type !== undefined && items.type in PLAIN_TYPES ? 'list' : PLAIN_TYPES[type];
}

/** A list as CSV: its columns, and the query that reads only these. */
export interface CsvList {
  readonly columns: readonly SheetColumn[];
  readonly query: ParsedQuery;
}

/**
 * The columns of a list: its plain fields. Expanded ones stay ids, and all items are read unless a page is requested.
 */
export function csvListOf(projection: Projection, { page, ...query }: ParsedQuery): CsvList {
  const plainQuery = { ...query, expands: new Set<string>() };
  const columns: SheetColumn[] = [];
  const excludes = new Set(query.excludes);
  for (const [name, { schema }] of fieldsOf(projection, plainQuery)) {
    const type = columnTypeOf(schema);
    if (type) columns.push({ name, type });
    else excludes.add(name);
  }
  return { columns, query: { ...plainQuery, excludes, ...(page && !query.isDefaultPage && { page }) } };
}

type Item = Readonly<Record<string, Row[number] | readonly unknown[] | undefined>>;

const rowOf = (item: Item, columns: readonly SheetColumn[]): Row =>
  columns.map(({ name }) => {
    const value = item[name] ?? null;
    return Array.isArray(value) ? { json: JSON.stringify(value) } : (value as Row[number]);
  });

async function* batchesOf(
  texts: AsyncIterable<string>,
  columns: readonly SheetColumn[],
): AsyncGenerator<readonly Row[], void, undefined> {
  for await (const text of texts) {
    const items = JSON.parse(`[${text}]`) as readonly Item[];
    for (let start = 0; start < items.length; start += BATCH_ROWS) {
      yield items.slice(start, start + BATCH_ROWS).map((item) => rowOf(item, columns));
      await setImmediate();
    }
  }
}

/**
 * Writes items as CSV; they come as JSON texts joined by commas. The names of the columns are sent with the first rows,
 * so that an error before these is reported like any other.
 */
export async function* csvOf(
  columns: readonly SheetColumn[],
  texts: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  const sheet = { model: '', columns, cells: new Map<string, number>() };
  let names: string | undefined;
  for await (const piece of FORMATS.csv.writer.write(sheet, batchesOf(texts, columns))) {
    if (names === undefined) names = String(piece);
    else {
      yield names + String(piece);
      names = '';
    }
  }
  if (names) yield names;
}
