import { sql } from 'kysely';
import type { RowSet } from '#query/every-row.js';
import type { Expression } from '#query/query-context.js';
import type { Projection } from '#query/projection.js';
import { type Schema, string } from '#query/schema.js';
import { CONTENT_MODELS, type ContentModel } from '#domain/exchange/job/content-models.js';
import type { Field, Fields } from '#domain/kernel/fields/field.js';
import { type Kind, LETTERS } from '#domain/kernel/item-id.js';
import { MAX_TEXT_LENGTH } from '#domain/kernel/fields/field-checks.js';
import type { ColumnType } from '#files/rows.js';

/** What the ids in a column refer to. CWEs and CAPECs are the same in every deployment, so they are not exported. */
export type Reference = ContentModel | 'cwe' | 'capec';

/** A column of a model's files, named like the field of the API. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether an empty cell means null. Otherwise it means the empty text; no column can contain both. */
  readonly nullable: boolean;
  /** Whether imports ignore the column, because its values are computed. */
  readonly readOnly: boolean;
  /** A text that may exceed a spreadsheet cell. */
  readonly long: boolean;
  readonly references?: Reference;
  /** The field that an import validates and writes. */
  readonly field?: Field;
  readonly about: string;
}

/** Describes one kind of content in files, for writers, readers, templates and the documentation. */
export interface ModelDescription {
  readonly name: ContentModel;
  /** What the rows are, for the documentation. */
  readonly title: string;
  /** The columns; `id` is the first one, and the key. */
  readonly columns: readonly Column[];
  readonly rows: RowSet;
}

/** A column that is not in the projection: a field of files, or a read-only list of ids. */
interface ExtraColumn {
  readonly sql: Expression;
  readonly about?: string;
}

interface Described {
  readonly name: ContentModel;
  readonly title: string;
  /** The fields that an import writes; all other columns are read-only. */
  readonly fields?: Fields;
  /** What ids refer to, for columns whose field does not define it. */
  readonly references?: Readonly<Record<string, Reference>>;
  /** Columns that may exceed a spreadsheet cell, in addition to long texts. */
  readonly long?: readonly string[];
  /** Replaces the projection's source, if a list of the API contains only a part of the rows. */
  readonly source?: Projection['source'];
  readonly columns?: Readonly<Record<string, ExtraColumn>>;
  /** SQL of columns that differ between files and the API. */
  readonly sql?: Readonly<Record<string, Expression>>;
}

/** The rows of a model: a projection, or the parts of one that are needed. */
type Source = Pick<Projection, 'fields' | 'includes' | 'source'> & { readonly key: Pick<Projection['key'], 'order'> };

/**
 * Describes a model: every field and every include of its projection becomes a column. An include that repeats a field
 * as objects is left out, because files contain references as ids.
 */
export function modelOf(projection: Source, described: Described): ModelDescription {
  const { name, title, fields = {}, references = {}, long = [] } = described;
  const columnsByName = new Map<string, Pick<Column, 'type' | 'nullable' | 'about'> & { readonly sql: Expression }>();
  for (const part of [projection.fields, ...Object.values(projection.includes ?? {})])
    for (const [column, { sql, schema }] of Object.entries(part)) {
      if (columnsByName.has(column)) continue;
      const { nullable = false, description: about = '' } = schema;
      columnsByName.set(column, { type: typeOf(schema), nullable, about, sql: described.sql?.[column] ?? sql });
    }
  for (const [column, { sql, about }] of Object.entries(described.columns ?? {})) {
    const { type, nullable = false, description = '' }: Partial<Field> = fields[column] ?? {};
    columnsByName.set(column, { type: type ? TYPES[type] : 'list', nullable, about: about ?? description, sql });
  }
  const unknown = Object.keys(fields).find((field) => !columnsByName.has(field));
  if (unknown !== undefined) throw new Error(`The model "${name}" has no column for its field "${unknown}".`);
  return {
    name,
    title,
    columns: [...columnsByName].map(([column, { sql: _sql, ...rest }]) => {
      const field = fields[column];
      const reference = references[column] ?? referenceOf(field);
      return {
        name: column,
        ...rest,
        readOnly: !field && column !== 'id',
        long: (field?.type === 'text' && field.maximum === MAX_TEXT_LENGTH) || long.includes(column),
        ...(reference && { references: reference }),
        ...(field && { field }),
      };
    }),
    rows: {
      source: described.source ?? projection.source,
      order: projection.key.order,
      sql: Object.fromEntries([...columnsByName].map(([column, { sql }]) => [column, sql])),
    },
  };
}

/** The id field of a model without a projection. */
export const idField = (example: string): Source['fields'] => ({
  id: { sql: sql`item.item_id`, schema: string({ description: `Such as \`${example}\`.` }) },
});

/** The kinds of items whose model has another name. */
const KINDS: Readonly<Partial<Record<ContentModel, Kind>>> = {
  standard: 'countermeasure',
  amendment: 'additional_requirement',
  implementation: 'how_to',
  section: 'survey_section',
  subsection: 'survey_subsection',
  question: 'survey_question',
  subquestion: 'survey_subquestion',
  answer: 'survey_answer',
};

const isKind = (name: string): name is Kind => Object.hasOwn(LETTERS, name);

/** The kind of a model's items; undefined for threat frameworks, which have no public ids of their own. */
export const kindOf = (model: ContentModel): Kind | undefined => KINDS[model] ?? (isKind(model) ? model : undefined);

/** What the ids in a field refer to; for a list of objects, those in the first reference of an entry. */
function referenceOf(field: Field | undefined): Reference | undefined {
  if (field?.type === 'integers') return field.table;
  if (field?.type === 'objects') return Object.values(field.fields).map(referenceOf).find(Boolean);
  if (field?.type !== 'reference' && field?.type !== 'references') return undefined;
  return CONTENT_MODELS.find((model) => kindOf(model) === field.kind);
}

/** Column types of fields that are not in a projection. */
const TYPES: Readonly<Record<Field['type'], ColumnType>> = {
  text: 'text',
  choice: 'text',
  reference: 'text',
  timestamp: 'timestamp',
  integer: 'integer',
  'numeric reference': 'integer',
  boolean: 'boolean',
  texts: 'list',
  choices: 'list',
  integers: 'list',
  references: 'list',
  object: 'json',
  objects: 'json',
  free: 'json',
  unsettable: 'text',
};

function typeOf({ type, format, items }: Schema): ColumnType {
  if (type === 'string') return format === 'date-time' ? 'timestamp' : 'text';
  if (type === 'integer' || type === 'boolean') return type;
  return type === 'array' && (items?.type === 'string' || items?.type === 'integer') ? 'list' : 'json';
}
