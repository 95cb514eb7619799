import { sql } from 'kysely';
import type { RowSet } from '#query/every-row.js';
import type { Expression } from '#query/query-context.js';
import type { Projection } from '#query/projection.js';
import { type Schema, string } from '#query/schema.js';
import { CONTENT_MODELS, type ContentModel } from '#domain/exchange/job/content-models.js';
import type { Field, Fields } from '#domain/kernel/fields/field.js';
import type { Kind } from '#domain/kernel/item-id.js';
import { LONGEST_TEXT } from '#domain/kernel/fields/text-limits.js';
import type { ColumnType } from '#files/rows.js';

/** What the ids in a column are ids of. CWEs and CAPECs are the same everywhere, and no content. */
export type Reference = ContentModel | 'cwe' | 'capec';

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
  /** What an import takes in it. */
  readonly field?: Field;
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

/** A column that the projection lacks: one of the fields of files, or a list of ids that is only shown. */
interface ExtraColumn {
  readonly sql: Expression;
  readonly about?: string;
}

interface Described {
  readonly name: ContentModel;
  readonly title: string;
  /** What an import takes; all other columns are read-only. */
  readonly fields?: Fields;
  /** What the ids are ids of, in columns whose field does not say it. */
  readonly references?: Readonly<Record<string, Reference>>;
  /** Columns that may be longer than a cell of a spreadsheet, besides long texts. */
  readonly long?: readonly string[];
  /** In place of the projection's, where a list of the API shows only a part of the rows. */
  readonly source?: Projection['source'];
  readonly columns?: Readonly<Record<string, ExtraColumn>>;
  /** SQL of columns that files have otherwise than the API. */
  readonly sql?: Readonly<Record<string, Expression>>;
}

/** Where the rows of a model come from: its projection, or what it has of one. */
type Source = Pick<Projection, 'fields' | 'includes' | 'source'> & { readonly key: Pick<Projection['key'], 'order'> };

/**
 * Describes a model: every field and every include of its projection is a column. An include that shows a field of the
 * same name as objects is left out, since files hold references as ids.
 */
export function modelOf(projection: Source, described: Described): ModelDescription {
  const { name, title, fields = {}, references = {}, long = [] } = described;
  const shown = new Map<string, Pick<Column, 'type' | 'nullable' | 'about'> & { readonly sql: Expression }>();
  for (const part of [projection.fields, ...Object.values(projection.includes ?? {})])
    for (const [column, { sql, schema }] of Object.entries(part)) {
      if (shown.has(column)) continue;
      const { nullable = false, description: about = '' } = schema;
      shown.set(column, { type: typeOf(schema), nullable, about, sql: described.sql?.[column] ?? sql });
    }
  for (const [column, { sql, about }] of Object.entries(described.columns ?? {})) {
    const { type, nullable = false, description = '' }: Partial<Field> = fields[column] ?? {};
    shown.set(column, { type: type ? TYPES[type] : 'list', nullable, about: about ?? description, sql });
  }
  const unknown = Object.keys(fields).find((field) => !shown.has(field));
  if (unknown !== undefined) throw new Error(`The model "${name}" has no column for its field "${unknown}".`);
  return {
    name,
    title,
    columns: [...shown].map(([column, { sql: _sql, ...rest }]) => {
      const field = fields[column];
      const reference = references[column] ?? referenceOf(field);
      return {
        name: column,
        ...rest,
        readOnly: !field && column !== 'id',
        long: (field?.type === 'text' && field.maximum === LONGEST_TEXT) || long.includes(column),
        ...(reference && { references: reference }),
        ...(field && { field }),
      };
    }),
    rows: {
      source: described.source ?? projection.source,
      order: projection.key.order,
      sql: Object.fromEntries([...shown].map(([column, { sql }]) => [column, sql])),
    },
  };
}

/** The id of a model without a projection of its own. */
export const shownId = (example: string): Source['fields'] => ({
  id: { sql: sql`item.item_id`, schema: string({ description: `Such as \`${example}\`.` }) },
});

/** Models that are not called as the kind of their items is. */
const MODEL_NAMES: Readonly<Partial<Record<Kind, ContentModel>>> = {
  countermeasure: 'standard',
  additional_requirement: 'amendment',
  how_to: 'implementation',
  survey_section: 'section',
  survey_subsection: 'subsection',
  survey_question: 'question',
  survey_subquestion: 'subquestion',
  survey_answer: 'answer',
};

const isModel = (name: string): name is ContentModel => CONTENT_MODELS.some((model) => model === name);

/** What the ids in a field are ids of; in a list of objects, those that come first in an entry. */
function referenceOf(field: Field | undefined): Reference | undefined {
  if (field?.type === 'integers') return field.table;
  if (field?.type === 'objects') return Object.values(field.fields).map(referenceOf).find(Boolean);
  if (field?.type !== 'reference' && field?.type !== 'references') return undefined;
  const model = MODEL_NAMES[field.kind] ?? field.kind;
  return isModel(model) ? model : undefined;
}

/** The columns of fields that no projection describes. */
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
