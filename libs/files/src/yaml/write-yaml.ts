import { Document, type Node, Pair, Scalar, stringify, YAMLMap, YAMLSeq } from 'yaml';
import type { Row, RowValue, SheetColumn } from '../rows.js';
import type { FormatWriter } from '../format-writer.js';

/** Characters that a reader may treat as a line break, or that YAML only allows as escapes. */
const HIDDEN = /[^\P{C}\n]|[\u2028\u2029]/u;

/** Prevents folded lines and quoted texts of several lines. */
const OPTIONS = { lineWidth: 0, doubleQuotedAsJSON: true } as const;

/**
 * Quotes texts, so that none is read as another type. Texts of several lines become block literals, except those of
 * blanks only, which readers treat differently.
 */
function scalarOf(value: unknown): Scalar {
  const scalar = new Scalar(value);
  if (typeof value === 'string')
    scalar.type =
      /\n/.test(value) && /\S/.test(value) && !HIDDEN.test(value) ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
  return scalar;
}

/** A list or an object in one line. */
function flowOf(value: unknown): Node {
  if (typeof value !== 'object' || value === null) return scalarOf(value);
  const collection = Array.isArray(value) ? new YAMLSeq<Node>() : new YAMLMap<Scalar, Node>();
  collection.flow = true;
  if (collection instanceof YAMLSeq) collection.items = (value as unknown[]).map(flowOf);
  else collection.items = Object.entries(value).map(([key, entry]) => new Pair(scalarOf(key), flowOf(entry)));
  return collection;
}

const valueOf = (value: RowValue): Node =>
  typeof value === 'object' && value !== null ? flowOf(JSON.parse(value.json)) : scalarOf(value);

/**
 * A row as a list entry, with one line for each member. Creating the nodes here instead of in the library halves the
 * time.
 */
function entryOf(columns: readonly SheetColumn[], row: Row): string {
  const members = new YAMLMap<Scalar, Node>();
  members.items = columns.map(({ name }, n) => new Pair(new Scalar(name), valueOf(row[n] ?? null)));
  const list = new YAMLSeq<Node>();
  list.items = [members];
  const document = new Document();
  document.contents = list;
  return document.toString(OPTIONS);
}

/** Writes one mapping `{model, columns, rows}` without aliases or tags. */
export const yamlWriter: FormatWriter = {
  compression: 3,
  async *write({ model, columns }, batches) {
    yield `${stringify({ model })}columns: ${JSON.stringify(columns.map(({ name }) => name))}\nrows:`;
    let isEmpty = true;
    for await (const rows of batches) {
      if (!rows.length) continue;
      if (isEmpty) yield '\n';
      yield rows.map((row) => entryOf(columns, row)).join('');
      isEmpty = false;
    }
    if (isEmpty) yield ' []\n';
  },
};
