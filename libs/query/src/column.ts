import { type RawBuilder, sql } from 'kysely';
import type { Filter } from './filter-parameters.js';
import * as filters from './filters.js';
import type { Schema } from './schema.js';

/**
 * A field that is a column of the row `item`, of the same name. `projection` derives its SQL, and its filter and
 * ordering of the same name, from its name and schema.
 */
export interface Column {
  readonly schema: Schema;
  readonly uses: ColumnUses;
}

/** What lists can do with a column. */
interface ColumnUses {
  /** The description of its filter: a text, or `true` for that of the field. Without it, there is no filter. */
  readonly filter?: string | true;
  /** Whether lists can be sorted by it: texts regardless of case. */
  readonly sortable?: boolean;
}

/** Declares a field that is a column. */
export const column = (schema: Schema, uses: ColumnUses = {}): Column => ({ schema, uses });

/** The SQL of a column. */
export const operandOf = (name: string): RawBuilder<unknown> => sql.ref(`item.${name}`);

const isText = ({ type, enum: choices, format }: Schema): boolean =>
  type === 'string' && !choices && format !== 'date-time';

/** The filter of a column, which accepts what its schema does. */
export function filterOf(name: string, schema: Schema, filter: string | true): Filter {
  const operand = operandOf(name);
  const { type, enum: choices, format, minimum, maximum, description } = schema;
  const about = filter === true ? description : filter;
  if (about === undefined) throw new Error(`The column ${name} has no description that its filter could have.`);
  if (choices) return filters.choice(operand, about, choices.filter((choice) => choice !== null).map(String));
  if (format === 'date-time') return filters.timestamp(operand, about);
  if (type === 'string') return filters.text(operand, about);
  if (type === 'boolean') return filters.boolean(operand, about);
  if (type !== 'integer') throw new Error(`The column ${name} has no filter for its type.`);
  return filters.integer(operand, about, {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  });
}

/** The expression that lists sort by. */
export const orderOf = (name: string, schema: Schema): RawBuilder<unknown> =>
  isText(schema) ? sql`lower(${operandOf(name)})` : operandOf(name);
