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

/** A column of a list, and where its values are in an item. */
interface CsvColumn extends SheetColumn {
  readonly path: readonly string[];
  /** What the column has of each entry, if the value is a list of objects. */
  readonly ofEach?: string;
}

const EMAIL = 'email';

/** The columns of a field that is no object: its value, or the e-mail addresses of people. */
function columnsOfField(field: string, schema: Schema): CsvColumn[] {
  const type = columnTypeOf(schema);
  if (type) return [{ name: field, type, path: [field] }];
  if (!schema.items?.properties?.[EMAIL]) return [];
  return [{ name: `${field}.${EMAIL}`, type: 'list', path: [field], ofEach: EMAIL }];
}

/** What names an item. Its other values are in the list of its kind. */
const NAMES = ['name', 'title', EMAIL];

/**
 * The columns of an object. That of an item's id has the name of the field, and that of its name is `phase.name`. An
 * object without an id is not an item, so all its plain values have columns.
 */
function columnsOfObject(field: string, { properties = {} }: Schema): CsvColumn[] {
  const isItem = 'id' in properties;
  return Object.entries(properties).flatMap(([name, schema]): CsvColumn[] => {
    const type = columnTypeOf(schema);
    const isId = name === 'id';
    if (!type || (isItem && !isId && !NAMES.includes(name))) return [];
    return [{ name: isId ? field : `${field}.${name}`, type, path: [field, name] }];
  });
}

const isObject = ({ type, anyOf }: Schema): boolean => type === 'object' || (type === undefined && !anyOf);

/** The expanded fields that have columns: objects. Lists of objects stay lists of ids. */
const expandsOf = ({ expands: declared = {} }: Projection, expands: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    [...expands].filter((name) => {
      const fields = Object.values(declared[name] ?? {});
      return fields.length > 0 && fields.every(({ schema }) => isObject(schema));
    }),
  );

/** The fields that a request names, so that their objects have columns. */
function namedFieldsOf({ includes, expands }: Projection, query: ParsedQuery): ReadonlySet<string> {
  const namesIn = (groups: Projection['includes'], selected: ReadonlySet<string>): string[] =>
    [...selected].flatMap((name) => Object.keys(groups?.[name] ?? {}));
  return new Set([...namesIn(includes, query.includes), ...namesIn(expands, query.expands)]);
}

/** A list as CSV: its columns, and the query that reads only these. */
export interface CsvList {
  readonly columns: readonly CsvColumn[];
  readonly query: ParsedQuery;
}

/**
 * The columns of a list: its plain fields, the addresses of people, and the names or values of the objects that the
 * request names. All items are read unless a page is requested.
 */
export function csvListOf(projection: Projection, { page, ...query }: ParsedQuery): CsvList {
  const csvQuery = { ...query, expands: expandsOf(projection, query.expands) };
  const named = namedFieldsOf(projection, csvQuery);
  const columns: CsvColumn[] = [];
  const excludes = new Set(query.excludes);
  for (const [name, { schema }] of fieldsOf(projection, csvQuery)) {
    const ofField = columnsOfField(name, schema);
    if (!ofField.length && named.has(name)) ofField.push(...columnsOfObject(name, schema));
    if (ofField.length) columns.push(...ofField);
    else excludes.add(name);
  }
  return { columns, query: { ...csvQuery, excludes, ...(page && !query.isDefaultPage && { page }) } };
}

type Value = Row[number] | readonly unknown[] | undefined;

interface Item {
  readonly [name: string]: Value | Item;
}

const valueAt = (item: Item, path: readonly string[]): Value => {
  let value: Value | Item = item;
  for (const name of path) value = (value as Item | null | undefined)?.[name];
  return value as Value;
};

const rowOf = (item: Item, columns: readonly CsvColumn[]): Row =>
  columns.map(({ path, ofEach }) => {
    const value = valueAt(item, path) ?? null;
    if (!Array.isArray(value)) return value as Row[number];
    return { json: JSON.stringify(ofEach === undefined ? value : value.map((entry: Item) => entry[ofEach])) };
  });

async function* batchesOf(
  texts: AsyncIterable<string>,
  columns: readonly CsvColumn[],
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
  columns: readonly CsvColumn[],
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
