import type { RowSet } from '#query/every-row.js';
import type { Expression } from '#query/query-context.js';
import type { Projection } from '#query/projection.js';
import type { Schema } from '#query/schema.js';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import type { ColumnType } from '#files/rows.js';

/** What the ids in a column are ids of. CWEs and CAPECs are the same everywhere, and no content. */
export type Reference = ContentModel | 'cwe' | 'capec';

/** What the values of a column that an import takes must be, beyond its type. */
export interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly choices?: readonly string[];
  /** Unicode code points of a text, or of each text in a list. */
  readonly length?: number;
  /** Whether a new item needs it, and no item may have it blank. */
  readonly required?: boolean;
  /** A list whose order says nothing. */
  readonly unordered?: boolean;
}

/** One column of a model's files, named as the API names the field. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Empty means null. In a text column that is not nullable it means the empty text; no column can hold both. */
  readonly nullable: boolean;
  /** An import does not take it: it follows from something else. */
  readonly readOnly: boolean;
  /** A text that may be longer than a cell of a spreadsheet. */
  readonly long: boolean;
  readonly references?: Reference;
  readonly bounds?: Bounds;
  readonly about: string;
}

/** One kind of content as files hold it: what writers, readers, templates and the documentation follow. */
export interface ModelDescription {
  readonly name: ContentModel;
  /** What the rows are, in the words of the documentation. */
  readonly title: string;
  /** `id` comes first and is the key. */
  readonly columns: readonly Column[];
  readonly rows: RowSet;
}

/** A column that no field of the API declares, or one in place of it. */
export type ExtraColumn = Omit<Column, 'name'> & { readonly sql: Expression };

interface Named {
  readonly name: ContentModel;
  readonly title: string;
}

interface Described extends Named {
  /** Fields that an import takes; all others are read-only. */
  readonly writable: readonly string[];
  readonly references?: Readonly<Record<string, Reference>>;
  /** Texts that may be longer than a cell of a spreadsheet. */
  readonly long?: readonly string[];
  /** What a new item needs. */
  readonly required?: readonly string[];
  /** Where a text, or one in a list, may not be as long as texts are elsewhere. */
  readonly lengths?: Readonly<Record<string, number>>;
  /** Lists whose order says nothing. */
  readonly unordered?: readonly string[];
  /** In place of the projection's, where a list of the API shows only a part of the rows. */
  readonly source?: Projection['source'];
  readonly columns?: Readonly<Record<string, ExtraColumn>>;
  /** SQL of columns that files have otherwise than the API. */
  readonly sql?: Readonly<Record<string, Expression>>;
}

/**
 * Describes a model whose API has a projection: every field and every include is a column. An include that shows a
 * field of the same name as objects is left out, since files hold references as ids.
 */
export function modelOf(projection: Projection, described: Described): ModelDescription {
  const { name, title, writable, references = {}, long = [] } = described;
  const boundsOf = (field: string, schema: Schema): Bounds => ({
    ...(schema.minimum !== undefined && { minimum: schema.minimum }),
    ...(schema.maximum !== undefined && { maximum: schema.maximum }),
    ...(schema.enum && { choices: schema.enum.filter((choice) => typeof choice === 'string') }),
    ...(described.lengths?.[field] !== undefined && { length: described.lengths[field] }),
    ...(described.required?.includes(field) && { required: true }),
    ...(described.unordered?.includes(field) && { unordered: true }),
  });
  const columns = new Map<string, ExtraColumn>();
  for (const fields of [projection.fields, ...Object.values(projection.includes ?? {})])
    for (const [field, { sql, schema }] of Object.entries(fields)) {
      if (columns.has(field)) continue;
      columns.set(field, {
        type: typeOf(schema),
        nullable: schema.nullable === true,
        readOnly: field !== 'id' && !writable.includes(field),
        long: long.includes(field),
        ...(references[field] && { references: references[field] }),
        ...(writable.includes(field) && { bounds: boundsOf(field, schema) }),
        about: schema.description ?? '',
        sql: described.sql?.[field] ?? sql,
      });
    }
  for (const [field, column] of Object.entries(described.columns ?? {})) columns.set(field, column);
  return modelOfColumns({
    name,
    title,
    source: described.source ?? projection.source,
    order: projection.key.order,
    columns: Object.fromEntries(columns),
  });
}

type ByColumn<Value> = Readonly<Record<string, Value>>;

/** Describes a model that has no projection of its own, by its columns and where its rows come from. */
export function modelOfColumns(
  described: Named & Pick<RowSet, 'source' | 'order'> & { readonly columns: ByColumn<ExtraColumn> },
): ModelDescription {
  const { name, title, source, order } = described;
  const columns = Object.entries(described.columns);
  return {
    name,
    title,
    columns: columns.map(([field, column]) => named(field, column)),
    rows: { source, order, sql: Object.fromEntries(columns.map(([field, { sql }]) => [field, sql])) },
  };
}

const named = (
  name: string,
  { type, nullable, readOnly, long, references, bounds, about }: Omit<Column, 'name'>,
): Column => ({
  name,
  type,
  nullable,
  readOnly,
  long,
  ...(references && { references }),
  ...(bounds && { bounds }),
  about,
});

function typeOf({ type, format, items }: Schema): ColumnType {
  if (type === 'string') return format === 'date-time' ? 'timestamp' : 'text';
  if (type === 'integer' || type === 'boolean') return type;
  return type === 'array' && (items?.type === 'string' || items?.type === 'integer') ? 'list' : 'json';
}
